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
   * Node that counts as attached, and what the caches show of the others.
   *
   * @param attachment VolumeAttachment of the volume to that node
   * @param byHand whether an attachment that is not ours attaches the volume elsewhere
   */
  public record ContestFacts(ObjectKey attachment, List<OtherNode> others, boolean byHand) {}

  /**
   * Node that may have the volume.
   *
   * @param attachment VolumeAttachment of the volume to that node
   * @param mounted whether a pod there runs with the volume
   */
  public record OtherNode(String node, ObjectKey attachment, boolean mounted) {
    Stream<Question<?>> questions() {
      return Stream.of(
          new Question.One<>(Kind.ATTACHMENT, attachment),
          new Question.One<>(Kind.NODE, ObjectKey.cluster(node)));
    }
  }

  public sealed interface ContestVerdict {
    record Has() implements ContestVerdict {}

    record NotThere() implements ContestVerdict {}

    // the server's answers do not decide it; a later change may
    record Unclear(String why) implements ContestVerdict {}

    record Unknown(String why) implements ContestVerdict {}
  }

  private ContestCheck() {}

  /**
   * Decides in favor of the node if the driver confirms only its attachment and no other node's
   * status lists the volume. Another node's {@code volumesInUse} does not count: a kubelet lists
   * the volume before it mounts it, and it mounts only what its status lists as attached. A running
   * pod on another node proves a mount. A restarted controller would come to the same result.
   */
  public static Step<ContestVerdict> decide(VolumeId volume, ContestFacts contest, LiveFacts live) {
    Stream<Question<?>> questions =
        Stream.concat(
            contest.others().stream().flatMap(OtherNode::questions),
            Stream.of(new Question.One<>(Kind.ATTACHMENT, contest.attachment())));
    return ask(questions, live, () -> holder(volume, contest, live));
  }

  private static Step<ContestVerdict> ask(
      Stream<Question<?>> questions, LiveFacts live, Supplier<ContestVerdict> verdict) {
    List<Question<?>> open = questions.filter(question -> !live.has(question)).toList();
    return open.isEmpty() ? Step.decided(verdict.get()) : new Step.Ask<>(open);
  }

  private static ContestVerdict holder(VolumeId volume, ContestFacts contest, LiveFacts live) {
    return switch (live.of(Kind.ATTACHMENT, contest.attachment())) {
      case Fact.Present<Attachment>(Attachment found)
          when found.attached() && !found.meta().isBeingDeleted() ->
          objection(volume, contest, live).orElseGet(ContestVerdict.Has::new);
      case Fact.Present<Attachment> _, Fact.Absent<Attachment>() ->
          new ContestVerdict.Unclear("its driver does not say that it is attached");
      case Fact.NotAsked<Attachment>() -> new ContestVerdict.Unknown("not asked");
      case Fact.Unknown<Attachment>(String why) -> new ContestVerdict.Unknown(why);
    };
  }

  /**
   * Decides whether a node certainly lacks the volume, if only a VolumeAttachment of another
   * process showed it there and that attachment is gone. The node cannot have mounted the volume if
   * its status does not list it and no container runs with it. Its {@code volumesInUse} also names
   * volumes of pods that only wait. A restarted controller would come to the same result.
   */
  public static Step<ContestVerdict> decideFound(VolumeId volume, OtherNode node, LiveFacts live) {
    return ask(
        node.questions(),
        live,
        () ->
            live.of(Kind.ATTACHMENT, node.attachment()) instanceof Fact.Present<Attachment>
                ? new ContestVerdict.Unclear("its attachment is there")
                : objection(volume, node, live).orElseGet(ContestVerdict.NotThere::new));
  }

  private static Optional<ContestVerdict> objection(
      VolumeId volume, ContestFacts contest, LiveFacts live) {
    return contest.byHand()
        ? unclear("an attachment that is not ours attaches it elsewhere")
        : contest.others().stream()
            .flatMap(other -> objection(volume, other, live).stream())
            .min(Comparator.comparing(verdict -> verdict instanceof ContestVerdict.Unknown));
  }

  private static Optional<ContestVerdict> objection(
      VolumeId volume, OtherNode other, LiveFacts live) {
    if (other.mounted()) {
      return unclear("a pod on another node runs with it");
    }
    return switch (live.of(Kind.ATTACHMENT, other.attachment())) {
      case Fact.Present<Attachment>(Attachment found) when found.attached() ->
          unclear("it is attached to another node");
      case Fact.Present<Attachment> _, Fact.Absent<Attachment> _ ->
          objection(volume, live.of(Kind.NODE, ObjectKey.cluster(other.node())));
      case Fact.NotAsked<Attachment>() -> unknown("not asked");
      case Fact.Unknown<Attachment>(String why) -> unknown(why);
    };
  }

  private static Optional<ContestVerdict> objection(VolumeId volume, Fact<Node> other) {
    return switch (other) {
      case Fact.Present<Node>(Node now) ->
          now.volumesAttached().containsKey(volume.text())
              ? unclear("the status of another node lists it")
              : Optional.empty();
      case Fact.Absent<Node>() -> unclear("another node does not exist, and may have it");
      case Fact.NotAsked<Node>() -> unknown("not asked");
      case Fact.Unknown<Node>(String why) -> unknown(why);
    };
  }

  private static Optional<ContestVerdict> unclear(String why) {
    return Optional.of(new ContestVerdict.Unclear(why));
  }

  private static Optional<ContestVerdict> unknown(String why) {
    return Optional.of(new ContestVerdict.Unknown(why));
  }
}
