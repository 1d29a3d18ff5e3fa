package dev.mooring.attachdetach.explain;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.attachdetach.decide.VolumeHolder.HoldReason;
import dev.mooring.explain.Candidate;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;
import dev.mooring.model.Attachment;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

record PodAnswer(Cause cause, String note, NextStep next, Evidence evidence) {
  static PodAnswer absent(String claim) {
    return new PodAnswer(
        AttachReason.CLAIM_ABSENT.cause(),
        "there is no claim " + claim,
        NextStep.person(AttachReason.CLAIM_ABSENT.remedy()),
        Evidence.NONE);
  }

  static PodAnswer ready() {
    return new PodAnswer(
        AttachReason.VOLUMES_READY.cause(),
        "every volume is attached",
        NextStep.NOTHING,
        Evidence.NONE);
  }

  static PodAnswer withoutNode(String node) {
    return new PodAnswer(
        AttachReason.NODE_OBJECT_ABSENT.cause(),
        "there is no Node " + node,
        AttachNextSteps.registerNode(node),
        Evidence.NONE);
  }

  static PodAnswer nowhere(List<NodeFit> fits) {
    return new PodAnswer(
        AttachReason.NO_NODE_FOR_VOLUMES.cause(),
        fits.isEmpty()
            ? "there is no node"
            : "each of the " + fits.size() + " nodes fails for at least one of its volumes",
        NextStep.person(nowhereRemedy(fits)),
        Evidence.of(fits, PodAnswer::candidate));
  }

  // free capacity helps only on a node that reaches the volumes
  private static String nowhereRemedy(List<NodeFit> fits) {
    boolean isReached = fits.stream().anyMatch(NodeFit::reachesAll);
    return isReached
        ? "move a volume, or free capacity on a node that reaches all of them"
        : "bring back or add a node that reaches all of the volumes (see their nodeAffinity),"
            + " or restore their data to other volumes";
  }

  private static Candidate candidate(NodeFit fit) {
    return new Candidate(
        fit.node(),
        fit.isReady() ? "ready" : "not ready",
        fit.outcomes().stream()
            .map(o -> new Candidate.Check(o.test(), o.note().isEmpty(), o.note()))
            .toList());
  }

  static Optional<PodAnswer> of(AttachStep step, AttachTarget target, SnapshotStates seen) {
    return switch (step) {
      case AttachStep.Keep _, AttachStep.Detach _, AttachStep.Hold _ -> Optional.empty();
      case AttachStep.Leave(String node) -> left(node, target, seen.attachment(target.id(), node));
      case AttachStep.Attach(String node) ->
          Optional.of(attaching(node, target, seen.attachment(target.id(), node)));
      case AttachStep.Busy(String node) ->
          Optional.of(attaching(node, target, seen.attachment(target.id(), node)));
      case AttachStep.Blocked(String node, List<VolumeHolder> holders) ->
          Optional.of(blocked(node, target, holders, seen));
    };
  }

  private static Optional<PodAnswer> left(
      String node, AttachTarget target, Optional<Attachment> there) {
    if (there.filter(Attachment::attached).isPresent()) {
      return Optional.empty();
    }
    String error = there.map(Attachment::attachError).orElse("");
    return Optional.of(
        new PodAnswer(
            AttachReason.LEFT_TO_KUBELET.cause(),
            "volume " + target.title() + " is not known to be attached to node " + node,
            AttachNextSteps.leftToKubelet(target.title(), node),
            error.isEmpty() ? Evidence.NONE : Evidence.NONE.withErrors(List.of(error))));
  }

  private static PodAnswer attaching(String node, AttachTarget target, Optional<Attachment> asked) {
    String error = asked.map(Attachment::attachError).orElse("");
    AttachReason why = error.isEmpty() ? AttachReason.ATTACHING : AttachReason.ATTACH_FAILED;
    return new PodAnswer(
        why.cause(),
        "volume " + target.title() + " is not attached to node " + node + " yet",
        AttachNextSteps.attach(target.title(), node, asked),
        error.isEmpty() ? Evidence.NONE : Evidence.NONE.withErrors(List.of(error)));
  }

  private static PodAnswer blocked(
      String node, AttachTarget target, List<VolumeHolder> holders, SnapshotStates seen) {
    VolumeHolder first = holders.getFirst();
    String nodes = holders.stream().map(VolumeHolder::node).collect(Collectors.joining(", "));
    return new PodAnswer(
        first.why() == HoldReason.NODE_ABSENT
            ? AttachReason.NODE_OBJECT_ABSENT.cause()
            : AttachReason.MULTI_ATTACH.cause(),
        "volume " + target.title() + " is needed on node " + node + ", and " + nodes + " has it",
        AttachNextSteps.of(first, target.title(), seen.attachment(target.id(), first.node())),
        Evidence.heldBy(
                holders.stream()
                    .map(h ->
                        new ObjectHolder(
                            "node",
                            h.node(),
                            AttachNextSteps.note(h, seen.users(target.id(), h.node()))))
                    .toList())
            .withErrors(errors(target, holders, seen)));
  }

  private static List<String> errors(
      AttachTarget target, List<VolumeHolder> holders, SnapshotStates seen) {
    return holders.stream()
        .flatMap(holder -> seen.attachment(target.id(), holder.node()).stream())
        .flatMap(attachment -> Stream.of(attachment.detachError(), attachment.attachError()))
        .filter(error -> !error.isEmpty())
        .distinct()
        .toList();
  }

  static PodAnswer oneAtATime(String claim, String other) {
    return new PodAnswer(
        AttachReason.CLAIM_OF_ONE_POD.cause(),
        "pod " + other + " uses claim " + claim + ", which one pod at a time may use",
        new NextStep(
            StepActor.SCHEDULER,
            ExpectedAction.SCHEDULE,
            "",
            "chooses a node when pod " + other + " ends",
            StepTiming.LATER),
        Evidence.heldBy(
            List.of(
                new ObjectHolder("pod", other, "uses claim " + claim + " with ReadWriteOncePod"))));
  }
}
