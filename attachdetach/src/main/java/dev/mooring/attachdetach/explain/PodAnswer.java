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

record PodAnswer(Cause cause, String message, NextStep nextStep, Evidence evidence) {
  static PodAnswer ofAbsentClaim(String claim) {
    return new PodAnswer(
        AttachReason.CLAIM_ABSENT.cause(),
        "there is no claim " + claim,
        NextStep.person(AttachReason.CLAIM_ABSENT.remedy()),
        Evidence.NONE);
  }

  static PodAnswer ofReadyVolumes() {
    return new PodAnswer(
        AttachReason.VOLUMES_READY.cause(),
        "every volume is attached",
        NextStep.NOTHING,
        Evidence.NONE);
  }

  static PodAnswer ofAbsentNode(String node) {
    return new PodAnswer(
        AttachReason.NODE_OBJECT_ABSENT.cause(),
        "there is no Node " + node,
        AttachNextSteps.registerNode(node),
        Evidence.NONE);
  }

  static PodAnswer ofUnreachableVolumes(List<NodeFit> fits) {
    return new PodAnswer(
        AttachReason.NO_NODE_FOR_VOLUMES.cause(),
        fits.isEmpty()
            ? "there is no node"
            : "each of the " + fits.size() + " nodes fails for at least one of its volumes",
        NextStep.person(createRemedy(fits)),
        Evidence.of(fits, PodAnswer::createCandidate));
  }

  // free capacity helps only on a node that reaches the volumes
  private static String createRemedy(List<NodeFit> fits) {
    boolean isReachable = fits.stream().anyMatch(NodeFit::isReachingAll);
    return isReachable
        ? "move a volume, or free capacity on a node that reaches all of them"
        : "bring back or add a node that reaches all of the volumes (see their nodeAffinity),"
            + " or restore their data to other volumes";
  }

  private static Candidate createCandidate(NodeFit fit) {
    return new Candidate(
        fit.node(),
        fit.isReady() ? "ready" : "not ready",
        fit.outcomes().stream()
            .map(o -> new Candidate.Check(o.test(), o.failure().isEmpty(), o.failure()))
            .toList());
  }

  static Optional<PodAnswer> of(AttachStep step, AttachTarget target, SnapshotStates states) {
    return switch (step) {
      case AttachStep.Keep _, AttachStep.Detach _, AttachStep.Hold _ -> Optional.empty();
      case AttachStep.LeaveToKubelet(String node) ->
          ofKubelet(node, target, states.findAttachment(target.id(), node));
      case AttachStep.Attach(String node) ->
          Optional.of(ofAttach(node, target, states.findAttachment(target.id(), node)));
      case AttachStep.Busy(String node) ->
          Optional.of(ofAttach(node, target, states.findAttachment(target.id(), node)));
      case AttachStep.Blocked(String node, List<VolumeHolder> holders) ->
          Optional.of(ofHolders(node, target, holders, states));
    };
  }

  private static Optional<PodAnswer> ofKubelet(
      String node, AttachTarget target, Optional<Attachment> existing) {
    if (existing.filter(Attachment::attached).isPresent()) {
      return Optional.empty();
    }
    String error = existing.map(Attachment::attachError).orElse("");
    return Optional.of(
        new PodAnswer(
            AttachReason.LEFT_TO_KUBELET.cause(),
            "volume " + target.title() + " is not known to be attached to node " + node,
            AttachNextSteps.leftToKubelet(target.title(), node),
            error.isEmpty() ? Evidence.NONE : Evidence.NONE.withErrors(List.of(error))));
  }

  private static PodAnswer ofAttach(
      String node, AttachTarget target, Optional<Attachment> existing) {
    String error = existing.map(Attachment::attachError).orElse("");
    AttachReason reason = error.isEmpty() ? AttachReason.ATTACHING : AttachReason.ATTACH_FAILED;
    return new PodAnswer(
        reason.cause(),
        "volume " + target.title() + " is not attached to node " + node + " yet",
        AttachNextSteps.attach(target.title(), node, existing),
        error.isEmpty() ? Evidence.NONE : Evidence.NONE.withErrors(List.of(error)));
  }

  private static PodAnswer ofHolders(
      String node, AttachTarget target, List<VolumeHolder> holders, SnapshotStates states) {
    VolumeHolder holder = holders.getFirst();
    String nodes = holders.stream().map(VolumeHolder::node).collect(Collectors.joining(", "));
    return new PodAnswer(
        holder.reason() == HoldReason.NODE_ABSENT
            ? AttachReason.NODE_OBJECT_ABSENT.cause()
            : AttachReason.MULTI_ATTACH.cause(),
        "volume " + target.title() + " is needed on node " + node + ", and " + nodes + " has it",
        createNextStep(target, holder, states),
        Evidence.ofHolders(
                holders.stream()
                    .map(h -> new ObjectHolder("node", h.node(), describe(target, h, states)))
                    .toList())
            .withErrors(findErrors(target, holders, states)));
  }

  private static NextStep createNextStep(
      AttachTarget target, VolumeHolder holder, SnapshotStates states) {
    return isKeptByOthers(target, holder, states)
        ? NextStep.person(AttachReason.ATTACHED_BY_OTHERS.remedy())
        : AttachNextSteps.createStep(
            holder, target.title(), states.findAttachment(target.id(), holder.node()));
  }

  private static String describe(AttachTarget target, VolumeHolder holder, SnapshotStates states) {
    return isKeptByOthers(target, holder, states)
        ? "it is attached there by another client"
        : AttachNextSteps.describeHolder(holder, states.describeUsers(target.id(), holder.node()));
  }

  // the controller does not delete a VolumeAttachment of another client
  private static boolean isKeptByOthers(
      AttachTarget target, VolumeHolder holder, SnapshotStates states) {
    return holder.reason() == HoldReason.DETACHING
        && states.isForeign(target.id(), holder.node())
        && states
            .findAttachment(target.id(), holder.node())
            .filter(attachment -> !attachment.meta().isBeingDeleted())
            .isPresent();
  }

  private static List<String> findErrors(
      AttachTarget target, List<VolumeHolder> holders, SnapshotStates states) {
    return holders.stream()
        .flatMap(holder -> states.findAttachment(target.id(), holder.node()).stream())
        .flatMap(attachment -> Stream.of(attachment.detachError(), attachment.attachError()))
        .filter(error -> !error.isEmpty())
        .distinct()
        .toList();
  }

  static PodAnswer ofExclusiveClaim(String claim, String otherPod) {
    return new PodAnswer(
        AttachReason.CLAIM_OF_ONE_POD.cause(),
        "pod " + otherPod + " uses claim " + claim + ", which one pod at a time may use",
        new NextStep(
            StepActor.SCHEDULER,
            ExpectedAction.SCHEDULE,
            "",
            "chooses a node when pod " + otherPod + " ends",
            StepTiming.LATER),
        Evidence.ofHolders(
            List.of(
                new ObjectHolder(
                    "pod", otherPod, "uses claim " + claim + " with ReadWriteOncePod"))));
  }
}
