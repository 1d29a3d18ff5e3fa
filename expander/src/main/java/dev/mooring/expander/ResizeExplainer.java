package dev.mooring.expander;

import dev.mooring.expander.decide.ExpandDecider;
import dev.mooring.expander.decide.ExpandDecision;
import dev.mooring.expander.decide.ResizeReason;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Next;
import dev.mooring.explain.Rank;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Subject;
import dev.mooring.explain.Unseen;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Explains bound claims that ask for more than they have. */
public final class ResizeExplainer implements Explainer {
  private final Sight sight;
  private final Growers growers;
  private final boolean likeKubernetes;

  /**
   * Over what is in sight now.
   *
   * @param likeKubernetes whether the cluster's controller is kube-controller-manager
   */
  public ResizeExplainer(Sight sight, boolean likeKubernetes) {
    this.sight = sight;
    this.likeKubernetes = likeKubernetes;
    this.growers = new Growers(sight.plugins(), ExpandController.Scope.ALL, likeKubernetes);
  }

  @Override
  public Kind<?> kind() {
    return Kind.CLAIM;
  }

  @Override
  public Set<Kind<?>> reads() {
    return Set.of(Kind.CLAIM, Kind.VOLUME);
  }

  @Override
  public List<Cause> catalogue() {
    return Arrays.stream(ResizeReason.values()).map(ResizeExplainer::cause).toList();
  }

  private static Cause cause(ResizeReason why) {
    Rank rank =
        switch (why) {
          case RESIZE_REFUSED, NODE_RESIZE_REFUSED -> Rank.MISCONFIGURED;
          case RESIZE_WAITS_FOR_NODE, RESIZE_BY_DRIVER -> Rank.WAITING;
          case RESIZING -> Rank.WORKING;
        };
    return Cause.of(why, rank);
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    Optional<Claim> found = sight.informer(Kind.CLAIM).snapshot().get(key);
    if (found.isEmpty()
        || found.get().phase() != ClaimPhase.BOUND
        || !ExpandDecider.mayConcern(found.get(), false, false)) {
      return List.of();
    }
    Claim claim = found.get();
    Optional<Volume> volume =
        sight.informer(Kind.VOLUME).snapshot().get(ObjectKey.cluster(claim.volumeName()));
    if (volume.isEmpty()) {
      List<Unseen> open =
          sight.leftOpen(Map.of(Kind.VOLUME, "who makes the volume larger, and how far that is"));
      return open.isEmpty()
          ? List.of()
          : List.of(explained(claim, ResizeReason.of(claim, false), open));
    }
    boolean here = growers.of(volume.get().source()).isPresent();
    return switch (ExpandDecider.decide(
        claim,
        volume.get(),
        here ? ExpandDecider.Growers.HERE : ExpandDecider.Growers.ELSEWHERE,
        likeKubernetes)) {
      case ExpandDecision.NotBound _ -> List.of(); // that is the binder's to explain
      case ExpandDecision.Nothing _,
          ExpandDecision.LeaveToOthers _,
          ExpandDecision.HandOver _,
          ExpandDecision.Unmark _,
          ExpandDecision.AskNode _,
          ExpandDecision.Grow _ ->
          List.of(explained(claim, ResizeReason.of(claim, here), List.of()));
    };
  }

  private static Explanation explained(Claim claim, ResizeReason why, List<Unseen> open) {
    Quantity has = claim.status().storage();
    return new Explanation(
        new Subject(Kind.CLAIM, claim.key()),
        "Resizing",
        claim.status().conditions().stream()
            .filter(c -> c.type().endsWith("Resizing") || c.type().endsWith("ResizePending"))
            .mapToLong(Condition::changed)
            .max()
            .orElse(0),
        cause(why),
        "it has " + has + " and asks for " + claim.request(),
        next(claim, why),
        Evidence.NONE.withErrors(
            claim.status().conditions().stream()
                .filter(c -> c.type().endsWith("Error") && !c.message().isEmpty())
                .map(Condition::message)
                .toList()),
        open);
  }

  private static Next next(Claim claim, ResizeReason why) {
    String size = claim.request().toString();
    return switch (why) {
      case RESIZE_REFUSED, NODE_RESIZE_REFUSED -> Next.person(why.remedy());
      case RESIZE_WAITS_FOR_NODE ->
          new Next(
              Actor.KUBELET,
              "grow-file-system",
              size,
              "makes the file system larger, on the node where a pod uses the claim");
      case RESIZE_BY_DRIVER ->
          new Next(
              Actor.DRIVER, "grow", size, "makes the volume " + size + ", if its resizer runs");
      case RESIZING -> new Next(Actor.CONTROLLER, "grow", size, "has a plugin make it " + size);
    };
  }
}
