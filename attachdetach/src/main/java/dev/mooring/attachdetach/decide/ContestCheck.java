package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Decides which node has an exclusive volume if attachments to several nodes exist and this process
 * confirmed none of them. A killed process leaves such a state when one of its requests arrives
 * late. Without this check no node gets the volume, and the nodes wait for each other until a pod
 * is deleted.
 */
public final class ContestCheck {
  /**
   * Node that counts as attached, and the cached facts about the other nodes.
   *
   * @param attachment VolumeAttachment of the volume to that node
   * @param hasForeignAttachment whether an attachment that is not ours attaches the volume
   *     elsewhere
   */
  public record ContestFacts(
      ObjectKey attachment, List<OtherNode> otherNodes, boolean hasForeignAttachment) {}

  /**
   * Node that may have the volume.
   *
   * @param attachment VolumeAttachment of the volume to that node
   * @param isMounted whether a pod there runs with the volume
   */
  public record OtherNode(String node, ObjectKey attachment, boolean isMounted) {
    Stream<Question<?>> questions() {
      return Stream.of(
          new Question.ObjectRead<>(Kind.ATTACHMENT, attachment),
          new Question.ObjectRead<>(Kind.NODE, ObjectKey.cluster(node)));
    }
  }

  public sealed interface ContestVerdict {
    record HasVolume() implements ContestVerdict {}

    record LacksVolume() implements ContestVerdict {}

    // the server's answers do not show which node has it; a later change may
    record Unclear(String reason) implements ContestVerdict {}

    record Unknown(String message) implements ContestVerdict {}
  }

  private ContestCheck() {}

  /**
   * Decides in favor of the node if the driver confirms only its attachment and no other node's
   * status lists the volume. Another node's {@code volumesInUse} does not count: a kubelet lists
   * the volume before it mounts it, and it mounts only what its status lists as attached. A running
   * pod on another node proves a mount. A restarted controller would come to the same result.
   */
  public static Step<ContestVerdict> decide(VolumeId volume, ContestFacts facts, LiveFacts live) {
    Stream<Question<?>> questions =
        Stream.concat(
            facts.otherNodes().stream().flatMap(OtherNode::questions),
            Stream.of(new Question.ObjectRead<>(Kind.ATTACHMENT, facts.attachment())));
    return askOrDecide(questions, live, () -> decideHolder(volume, facts, live));
  }

  private static Step<ContestVerdict> askOrDecide(
      Stream<Question<?>> questions, LiveFacts live, Supplier<ContestVerdict> verdict) {
    List<Question<?>> openQuestions =
        questions.filter(question -> !live.isAnswered(question)).toList();
    return openQuestions.isEmpty() ? Step.decided(verdict.get()) : new Step.Ask<>(openQuestions);
  }

  private static ContestVerdict decideHolder(VolumeId volume, ContestFacts facts, LiveFacts live) {
    return switch (live.of(Kind.ATTACHMENT, facts.attachment())) {
      case Fact.Present<Attachment>(Attachment attachment)
          when attachment.attached() && !attachment.meta().isBeingDeleted() ->
          findObjection(volume, facts, live).orElseGet(ContestVerdict.HasVolume::new);
      case Fact.Present<Attachment> _, Fact.Absent<Attachment>() ->
          new ContestVerdict.Unclear("its VolumeAttachment is not attached");
      case Fact.NotAsked<Attachment>() -> new ContestVerdict.Unknown("not asked");
      case Fact.Unknown<Attachment>(String message) -> new ContestVerdict.Unknown(message);
    };
  }

  /**
   * Decides whether a node certainly lacks the volume, if only a VolumeAttachment of another
   * process showed it there and that attachment is gone. The node cannot have mounted the volume if
   * its status does not list it and no running container uses it. Its {@code volumesInUse} also
   * names volumes of pods that only wait. A restarted controller would come to the same result.
   */
  public static Step<ContestVerdict> decideAttachmentOnly(
      VolumeId volume, OtherNode node, LiveFacts live) {
    return askOrDecide(
        node.questions(),
        live,
        () ->
            live.of(Kind.ATTACHMENT, node.attachment()) instanceof Fact.Present<Attachment>
                ? new ContestVerdict.Unclear("its VolumeAttachment exists")
                : findObjection(volume, node, live).orElseGet(ContestVerdict.LacksVolume::new));
  }

  private static Optional<ContestVerdict> findObjection(
      VolumeId volume, ContestFacts facts, LiveFacts live) {
    return facts.hasForeignAttachment()
        ? unclear("a VolumeAttachment of another creator attaches it to another node")
        : facts.otherNodes().stream()
            .flatMap(otherNode -> findObjection(volume, otherNode, live).stream())
            .min(Comparator.comparing(verdict -> verdict instanceof ContestVerdict.Unknown));
  }

  private static Optional<ContestVerdict> findObjection(
      VolumeId volume, OtherNode otherNode, LiveFacts live) {
    if (otherNode.isMounted()) {
      return unclear("a running pod on another node uses it");
    }
    return switch (live.of(Kind.ATTACHMENT, otherNode.attachment())) {
      case Fact.Present<Attachment>(Attachment attachment) when attachment.attached() ->
          unclear("it is attached to another node");
      case Fact.Present<Attachment> _, Fact.Absent<Attachment> _ ->
          findObjection(volume, live.of(Kind.NODE, ObjectKey.cluster(otherNode.node())));
      case Fact.NotAsked<Attachment>() -> unknown("not asked");
      case Fact.Unknown<Attachment>(String message) -> unknown(message);
    };
  }

  private static Optional<ContestVerdict> findObjection(VolumeId volume, Fact<Node> nodeFact) {
    return switch (nodeFact) {
      case Fact.Present<Node>(Node node) ->
          node.volumesAttached().containsKey(volume.text())
              ? unclear("the status of another node lists it")
              : Optional.empty();
      case Fact.Absent<Node>() -> unclear("another node does not exist, and may have it");
      case Fact.NotAsked<Node>() -> unknown("not asked");
      case Fact.Unknown<Node>(String message) -> unknown(message);
    };
  }

  private static Optional<ContestVerdict> unclear(String reason) {
    return Optional.of(new ContestVerdict.Unclear(reason));
  }

  private static Optional<ContestVerdict> unknown(String message) {
    return Optional.of(new ContestVerdict.Unknown(message));
  }
}
