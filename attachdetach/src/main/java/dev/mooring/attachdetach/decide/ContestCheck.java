package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.model.Attachment;
import dev.mooring.model.Node;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides which node has an exclusive volume if attachments to several nodes exist and this process
 * confirmed none of them. A killed process leaves such a state when one of its requests arrives
 * late. Without this check no node gets the volume, and the nodes wait for each other until a pod
 * is deleted.
 */
public final class ContestCheck {
  public record ContestFacts(Fact<Attachment> attachment, List<OtherNode> others, boolean byHand) {}

  public record OtherNode(Fact<Attachment> attachment, Fact<Node> node, boolean mounted) {}

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
  public static ContestVerdict decide(VolumeId volume, ContestFacts contest) {
    return switch (contest.attachment()) {
      case Fact.Present<Attachment>(Attachment found)
          when found.attached() && !found.meta().isBeingDeleted() ->
          objection(volume, contest).orElseGet(ContestVerdict.Has::new);
      case Fact.Present<Attachment> _, Fact.Absent<Attachment>() ->
          new ContestVerdict.Unclear("its driver does not say that it is attached");
      case Fact.NotAsked<Attachment>() -> new ContestVerdict.Unclear("not asked");
      case Fact.Unknown<Attachment>(String why) -> new ContestVerdict.Unknown(why);
    };
  }

  /**
   * Decides whether a node certainly lacks the volume, if only a VolumeAttachment of another
   * process showed it there and that attachment is gone. The node cannot have mounted the volume if
   * its status does not list it and no container runs with it. Its {@code volumesInUse} also names
   * volumes of pods that only wait. A restarted controller would come to the same result.
   */
  public static ContestVerdict decideFound(VolumeId volume, OtherNode node) {
    return node.attachment() instanceof Fact.Present<Attachment>
        ? new ContestVerdict.Unclear("its attachment is there")
        : objection(volume, node).orElseGet(ContestVerdict.NotThere::new);
  }

  private static Optional<ContestVerdict> objection(VolumeId volume, ContestFacts contest) {
    return contest.byHand()
        ? unclear("an attachment that is not ours attaches it elsewhere")
        : contest.others().stream()
            .flatMap(other -> objection(volume, other).stream())
            .min(Comparator.comparing(verdict -> verdict instanceof ContestVerdict.Unknown));
  }

  private static Optional<ContestVerdict> unclear(String why) {
    return Optional.of(new ContestVerdict.Unclear(why));
  }

  private static Optional<ContestVerdict> objection(VolumeId volume, OtherNode other) {
    if (other.mounted()) {
      return unclear("a pod on another node runs with it");
    }
    return switch (other.attachment()) {
      case Fact.Absent<Attachment>() -> objection(volume, other.node());
      case Fact.Present<Attachment>(Attachment found) ->
          found.attached()
              ? unclear("it is attached to another node")
              : objection(volume, other.node());
      case Fact.NotAsked<Attachment>() -> unclear("not asked");
      case Fact.Unknown<Attachment>(String why) -> Optional.of(new ContestVerdict.Unknown(why));
    };
  }

  private static Optional<ContestVerdict> objection(VolumeId volume, Fact<Node> other) {
    return switch (other) {
      case Fact.Present<Node>(Node now) ->
          now.volumesAttached().containsKey(volume.text())
              ? unclear("the status of another node lists it")
              : Optional.empty();
      case Fact.Absent<Node>() -> unclear("another node does not exist, and may have it");
      case Fact.NotAsked<Node>() -> unclear("not asked");
      case Fact.Unknown<Node>(String why) -> Optional.of(new ContestVerdict.Unknown(why));
    };
  }
}
