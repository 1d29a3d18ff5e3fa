package dev.mooring.manager.explain;

import dev.mooring.binder.ClaimExplainer;
import dev.mooring.binder.decide.Policy;
import dev.mooring.expander.ResizeExplainer;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Sight;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.protection.TerminationExplainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Everybody who explains, over one sight of the cluster. Not thread-safe. */
public final class Explainers {
  /** The kinds that can be explained, in the order in which they are named. */
  public static final List<Kind<?>> KINDS = List.of(Kind.CLAIM);

  /** The kinds that explanations look at. */
  public static final Set<Kind<?>> READ =
      Set.of(Kind.CLAIM, Kind.VOLUME, Kind.STORAGE_CLASS, Kind.POD, Kind.NODE);

  private final List<Explainer> all;

  /**
   * Over that sight.
   *
   * @param likeKubernetes whether the cluster's controllers decide exactly as those of
   *     kube-controller-manager
   */
  public Explainers(Sight sight, boolean likeKubernetes) {
    this.all =
        List.of(
            new ClaimExplainer(sight, new Policy(likeKubernetes, true)),
            new ResizeExplainer(sight, likeKubernetes),
            TerminationExplainer.ofClaims(sight, likeKubernetes));
  }

  /**
   * What can be said of one object, the most urgent first; what is well only if all is. Nothing if
   * the object is not in sight.
   */
  public List<Explanation> explain(Kind<?> kind, ObjectKey key, Detail detail)
      throws InterruptedException {
    List<Explanation> explanations = new ArrayList<>();
    for (Explainer explainer : all) {
      if (explainer.kind().equals(kind)) {
        explanations.addAll(explainer.explain(key, detail));
      }
    }
    if (explanations.stream().anyMatch(Explanation::waits)) {
      explanations.removeIf(explanation -> !explanation.waits());
    }
    explanations.sort(Explanation.PRECEDENCE);
    return explanations;
  }

  /** Every reason that may be given. */
  public Stream<Cause> catalogue() {
    return all.stream().flatMap(explainer -> explainer.catalogue().stream());
  }
}
