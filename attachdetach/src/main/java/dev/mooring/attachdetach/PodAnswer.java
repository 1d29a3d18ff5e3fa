package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachReason;
import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Next;
import dev.mooring.explain.Rank;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What a step for one of its volumes means to a pod.
 *
 * @param cause the reason
 * @param note the reason with the volume's and the nodes' names
 * @param next what happens next
 * @param evidence who has the volume, and what the driver said
 */
record PodAnswer(Cause cause, String note, Next next, Evidence evidence) {
  static List<Cause> catalogue() {
    return Arrays.stream(AttachReason.values()).map(PodAnswer::cause).toList();
  }

  private static Cause cause(AttachReason why) {
    Rank rank =
        switch (why) {
          case CLAIM_ABSENT -> Rank.MISCONFIGURED;
          case ATTACH_FAILED -> Rank.FAILING;
          case MULTI_ATTACH -> Rank.WAITING;
          case ATTACHING -> Rank.WORKING;
          case VOLUMES_READY -> Rank.FINE;
        };
    return Cause.of(why, rank);
  }

  static PodAnswer absent(String claim) {
    return new PodAnswer(
        cause(AttachReason.CLAIM_ABSENT),
        "there is no claim " + claim,
        Next.person(AttachReason.CLAIM_ABSENT.remedy()),
        Evidence.NONE);
  }

  static PodAnswer ready() {
    return new PodAnswer(
        cause(AttachReason.VOLUMES_READY),
        "nothing is left to be attached",
        Next.NOTHING,
        Evidence.NONE);
  }

  /**
   * Of a step; empty if the volume is there.
   *
   * @param users the pods that use it on a node
   */
  static Optional<PodAnswer> of(
      AttachStep step, AttachTarget target, String error, UnaryOperator<String> users) {
    return switch (step) {
      case AttachStep.Keep _, AttachStep.Detach _, AttachStep.Hold _ -> Optional.empty();
      case AttachStep.Attach(String node) -> Optional.of(attaching(node, target, error));
      case AttachStep.Busy(String node) -> Optional.of(attaching(node, target, error));
      case AttachStep.Blocked(String node, List<VolumeHolder> holders) ->
          Optional.of(blocked(node, target, holders, users));
    };
  }

  private static PodAnswer attaching(String node, AttachTarget target, String error) {
    AttachReason why = error.isEmpty() ? AttachReason.ATTACHING : AttachReason.ATTACH_FAILED;
    return new PodAnswer(
        cause(why),
        "volume " + target.title() + " is not attached to node " + node + " yet",
        new Next(
            Actor.CONTROLLER,
            "attach",
            target.title(),
            "has volume " + target.title() + " attached to node " + node),
        error.isEmpty() ? Evidence.NONE : Evidence.NONE.withErrors(List.of(error)));
  }

  private static PodAnswer blocked(
      String node, AttachTarget target, List<VolumeHolder> holders, UnaryOperator<String> users) {
    String nodes = holders.stream().map(VolumeHolder::node).collect(Collectors.joining(", "));
    return new PodAnswer(
        cause(AttachReason.MULTI_ATTACH),
        "volume " + target.title() + " is needed on node " + node + ", and " + nodes + " has it",
        next(target, holders.getFirst()),
        Evidence.heldBy(
            holders.stream()
                .map(h -> new dev.mooring.explain.Holder("node", h.node(), note(h, users)))
                .toList()));
  }

  private static String note(VolumeHolder holder, UnaryOperator<String> users) {
    return switch (holder.why()) {
      case WANTED -> "used there by " + users.apply(holder.node());
      case ATTACHING -> "it is being attached there";
      case DETACHING -> "it is being detached there";
      case IN_USE -> "ready, and lists the volume in use: its kubelet has yet to unmount it";
      case IN_USE_NOT_READY -> "not ready, and listed the volume in use last" + force(holder);
      case IN_USE_GONE ->
          "does not exist any more, and listed the volume in use last" + force(holder);
    };
  }

  private static String force(VolumeHolder holder) {
    Duration until = holder.until();
    return until == null
        ? ""
        : "; it is taken away by force after " + until.toMinutes() + " minutes at the latest";
  }

  private static Next next(AttachTarget target, VolumeHolder holder) {
    String from = "volume " + target.title() + " from node " + holder.node();
    return switch (holder.why()) {
      case WANTED ->
          Next.person("end the pods that use volume " + target.title() + " on " + holder.node());
      case ATTACHING, DETACHING ->
          new Next(Actor.CONTROLLER, "detach", target.title(), "detaches " + from);
      case IN_USE -> new Next(Actor.KUBELET, "unmount", target.title(), "unmounts " + from);
      case IN_USE_NOT_READY, IN_USE_GONE ->
          new Next(
              Actor.CONTROLLER,
              "force-detach",
              target.title(),
              "takes " + from + " by force, if that node does not come back");
    };
  }
}
