package dev.mooring.manager.explain;

import dev.mooring.attachdetach.PodExplainer;
import dev.mooring.binder.BinderController;
import dev.mooring.binder.ClaimExplainer;
import dev.mooring.binder.VolumeExplainer;
import dev.mooring.binder.decide.Policy;
import dev.mooring.expander.ResizeExplainer;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Sight;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.protection.TerminationExplainer;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Everybody who explains, over one sight of the cluster. Not thread-safe. */
public final class Explainers {
  /** The kinds that can be explained, in the order in which they are named. */
  public static final List<Kind<?>> KINDS = List.of(Kind.CLAIM, Kind.VOLUME, Kind.POD);

  /** Those of them whose objects live in namespaces. */
  public static final List<Kind<?>> NAMESPACED = KINDS.stream().filter(Kind::namespaced).toList();

  /** The kinds that explanations look at. */
  public static final Set<Kind<?>> READ =
      Set.of(
          Kind.CLAIM,
          Kind.VOLUME,
          Kind.STORAGE_CLASS,
          Kind.POD,
          Kind.NODE,
          Kind.CSI_DRIVER,
          Kind.ATTACHMENT);

  private final Sight sight;
  private final List<Explainer> all;

  /**
   * Over that sight.
   *
   * @param likeKubernetes whether the cluster's controllers decide exactly as those of
   *     kube-controller-manager
   * @param time the clock
   */
  public Explainers(Sight sight, boolean likeKubernetes, Time time) {
    this.all =
        List.of(
            new ClaimExplainer(sight, new Policy(likeKubernetes, true)),
            new VolumeExplainer(sight, new Policy(likeKubernetes, true)),
            new ResizeExplainer(sight, likeKubernetes),
            TerminationExplainer.ofClaims(sight, likeKubernetes),
            TerminationExplainer.ofVolumes(sight),
            new PodExplainer(sight, BinderController.PODS_BY_CLAIM, time));
    this.sight = sight;
  }

  /**
   * What can be said of one object, the most urgent first; what is well only if all is. Of a pod,
   * also what its claims wait for. Nothing if the object is not in sight.
   */
  public List<Explanation> explain(Kind<?> kind, ObjectKey key, Detail detail)
      throws InterruptedException {
    List<Explanation> explanations = own(kind, key, detail);
    if (kind.equals(Kind.POD) && detail == Detail.EVIDENCE) {
      for (String claim : claims(key)) {
        List<Explanation> ofClaim =
            own(Kind.CLAIM, ObjectKey.of(key.namespace(), claim), Detail.SUMMARY);
        ofClaim.removeIf(explanation -> !explanation.waits());
        explanations.addAll(ofClaim);
      }
    }
    if (explanations.stream().anyMatch(Explanation::waits)) {
      explanations.removeIf(explanation -> !explanation.waits());
    }
    explanations.sort(Explanation.PRECEDENCE);
    return explanations;
  }

  private List<String> claims(ObjectKey pod) {
    return sight.informer(Kind.POD).snapshot().get(pod).map(Pod::claims).orElse(List.of());
  }

  private List<Explanation> own(Kind<?> kind, ObjectKey key, Detail detail)
      throws InterruptedException {
    List<Explanation> explanations = new ArrayList<>();
    for (Explainer explainer : all) {
      if (explainer.kind().equals(kind)) {
        explanations.addAll(explainer.explain(key, detail));
      }
    }
    return explanations;
  }

  /** Every reason that may be given. */
  public Stream<Cause> catalogue() {
    return all.stream().flatMap(explainer -> explainer.catalogue().stream());
  }
}
