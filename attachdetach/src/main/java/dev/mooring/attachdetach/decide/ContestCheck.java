package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.model.Attachment;
import dev.mooring.model.Node;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Who has a volume that one node at a time may have, when attachments of it to several nodes were
 * found and nobody here knows of any of them that it is attached: a process that was killed asked
 * for one too many. While nobody knows, nobody gets it, and the nodes would wait for each other
 * until a pod goes.
 */
public final class ContestCheck {
  /**
   * What the server says.
   *
   * @param attachment of the VolumeAttachment to the node in question
   * @param others of the other nodes
   * @param byHand whether an attachment that somebody else made is known to attach it elsewhere
   */
  public record Contest(Fact<Attachment> attachment, List<Other> others, boolean byHand) {}

  /**
   * What it says of another node.
   *
   * @param attachment of the VolumeAttachment to it
   * @param node of the node
   * @param mounted whether a pod there is known to run with the volume
   */
  public record Other(Fact<Attachment> attachment, Fact<Node> node, boolean mounted) {}

  /** Who has it. */
  public sealed interface ContestVerdict {
    /** The node has it. */
    record Has() implements ContestVerdict {}

    /** That node has it not. */
    record NotThere() implements ContestVerdict {}

    /** Nobody can say, before something changes. */
    record Unclear(String why) implements ContestVerdict {}

    /** The server did not answer. */
    record Unknown(String why) implements ContestVerdict {}
  }

  private ContestCheck() {}

  /**
   * Decides: it is the node's if the driver says so of this one alone, and no status lists it. That
   * another node says it uses the volume means nothing if this process has never told it that it
   * has it: a kubelet says so before it mounts. That a pod runs there with it means that it is
   * mounted. A restart would come to the same.
   */
  public static ContestVerdict decide(VolumeId volume, Contest contest) {
    return switch (contest.attachment()) {
      case Fact.Present<Attachment>(Attachment found)
          when found.attached() && !found.meta().isBeingDeleted() ->
          objection(volume, contest).orElseGet(ContestVerdict.Has::new);
      case Fact.Present<Attachment> _, Fact.Absent<Attachment>() ->
          new ContestVerdict.Unclear("its driver does not say that it is attached");
      case Fact.NotAsked<Attachment>() -> new ContestVerdict.Unclear("nobody asked");
      case Fact.Unknown<Attachment>(String why) -> new ContestVerdict.Unknown(why);
    };
  }

  /**
   * Decides about a node of which nothing but an attachment told, one that this process has not
   * asked for: with the attachment its reason to have it is gone. Nor is it taken to have mounted
   * it, if its status does not list it, which a kubelet asks for before it mounts, and no container
   * runs there with it. That it uses the volume it says of pods that wait as well. A restart would
   * come to the same.
   */
  public static ContestVerdict decideFound(VolumeId volume, Other node) {
    return node.attachment() instanceof Fact.Present<Attachment>
        ? new ContestVerdict.Unclear("its attachment is there")
        : objection(volume, node).orElseGet(ContestVerdict.NotThere::new);
  }

  private static Optional<ContestVerdict> objection(VolumeId volume, Contest contest) {
    return contest.byHand()
        ? unclear("an attachment that is not ours attaches it elsewhere")
        : contest.others().stream()
            .flatMap(other -> objection(volume, other).stream())
            .min(Comparator.comparing(verdict -> verdict instanceof ContestVerdict.Unknown));
  }

  private static Optional<ContestVerdict> unclear(String why) {
    return Optional.of(new ContestVerdict.Unclear(why));
  }

  private static Optional<ContestVerdict> objection(VolumeId volume, Other other) {
    if (other.mounted()) {
      return unclear("a pod on another node runs with it");
    }
    return switch (other.attachment()) {
      case Fact.Absent<Attachment>() -> objection(volume, other.node());
      case Fact.Present<Attachment>(Attachment found) ->
          found.attached()
              ? unclear("it is attached to another node")
              : objection(volume, other.node());
      case Fact.NotAsked<Attachment>() -> unclear("nobody asked");
      case Fact.Unknown<Attachment>(String why) -> Optional.of(new ContestVerdict.Unknown(why));
    };
  }

  private static Optional<ContestVerdict> objection(VolumeId volume, Fact<Node> other) {
    return switch (other) {
      case Fact.Present<Node>(Node now) ->
          now.volumesAttached().containsKey(volume.text())
              ? unclear("another node is told that it has it")
              : Optional.empty();
      case Fact.Absent<Node>() -> unclear("another node is gone, and may have it");
      case Fact.NotAsked<Node>() -> unclear("nobody asked");
      case Fact.Unknown<Node>(String why) -> Optional.of(new ContestVerdict.Unknown(why));
    };
  }
}
