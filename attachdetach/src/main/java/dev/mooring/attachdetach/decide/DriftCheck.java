package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.model.Attachment;
import dev.mooring.model.Node;
import java.util.List;
import java.util.Optional;

/**
 * Whether a volume that is taken for attached is not, once there is a sign that it is not. To take
 * it for detached lets another node have it, so the server is asked, not the cache.
 */
public final class DriftCheck {
  /** What is to be thought of it. */
  public sealed interface DriftVerdict {
    /** Ask for the node, and decide again. */
    record NeedsNode() implements DriftVerdict {}

    /** It is attached. */
    record Attached() implements DriftVerdict {}

    /** It is not, and yet the node may have it mounted. */
    record Perhaps(String why) implements DriftVerdict {}

    /** It is not attached. */
    record Detached(String why) implements DriftVerdict {}

    /** Nobody could say: it is taken for attached as before. */
    record Unknown(String why) implements DriftVerdict {}
  }

  /**
   * What the server says of a volume that one node at a time may have, and that may be on several.
   *
   * @param attachment the VolumeAttachment to the node in question
   * @param others the other nodes, with what it says of each
   */
  public record Contest(Fact<Attachment> attachment, List<Other> others) {}

  /**
   * One of the others.
   *
   * @param attachment the VolumeAttachment to it
   * @param node the node
   */
  public record Other(Fact<Attachment> attachment, Fact<Node> node) {}

  private DriftCheck() {}

  /**
   * Decides by the VolumeAttachment.
   *
   * @param volume the volume
   * @param attachment what the server says about its attachment
   * @param node what it says about the node
   * @param usedLast whether the node said that it uses the volume when it was last heard of
   */
  public static DriftVerdict decide(
      VolumeId volume, Fact<Attachment> attachment, Fact<Node> node, boolean usedLast) {
    return switch (attachment) {
      case Fact.Present<Attachment>(Attachment found) when found.attached() ->
          new DriftVerdict.Attached();
      case Fact.Present<Attachment> _ ->
          lost(volume, node, usedLast, "its VolumeAttachment says that it is not");
      case Fact.Absent<Attachment>() -> lost(volume, node, usedLast, "it has no VolumeAttachment");
      case Fact.NotAsked<Attachment>() -> new DriftVerdict.Unknown("nobody asked");
      case Fact.Unknown<Attachment>(String why) -> new DriftVerdict.Unknown(why);
    };
  }

  /**
   * Decides whether the node has a volume that may be on others too, because attachments to several
   * were found. It has if its driver says so of this node alone, and none of the others was told
   * that it has it: that they say they use it means nothing, for a kubelet says so before it
   * mounts. Else they would wait for each other until a pod goes.
   */
  public static DriftVerdict decide(VolumeId volume, Contest contest) {
    return switch (contest.attachment()) {
      case Fact.Present<Attachment>(Attachment found) when isAttached(found) ->
          contest.others().stream()
              .map(other -> objection(volume, other))
              .flatMap(Optional::stream)
              .findFirst()
              .<DriftVerdict>map(DriftVerdict.Perhaps::new)
              .orElseGet(DriftVerdict.Attached::new);
      case Fact.Present<Attachment> _, Fact.Absent<Attachment>() ->
          new DriftVerdict.Perhaps("its driver does not say that it is attached");
      case Fact.NotAsked<Attachment>() -> new DriftVerdict.Unknown("nobody asked");
      case Fact.Unknown<Attachment>(String why) -> new DriftVerdict.Unknown(why);
    };
  }

  private static boolean isAttached(Attachment found) {
    return found.attached() && !found.meta().isBeingDeleted();
  }

  private static Optional<String> objection(VolumeId volume, Other other) {
    boolean unattached =
        switch (other.attachment()) {
          case Fact.Absent<Attachment>() -> true;
          case Fact.Present<Attachment>(Attachment found) -> !found.attached();
          case Fact.NotAsked<Attachment>(), Fact.Unknown<Attachment> _ -> false;
        };
    if (!unattached) {
      return Optional.of("it may be attached to another node");
    }
    boolean untold =
        other.node() instanceof Fact.Present<Node>(Node now)
            && !now.volumesAttached().containsKey(volume.text());
    return untold
        ? Optional.empty()
        : Optional.of("another node may have been told that it has it");
  }

  /**
   * What becomes of a volume that is certainly not attached. While a node says that it uses it, it
   * may have it mounted whatever was taken from under it: no other node gets it before that is
   * over, through a restart too, because its status goes on to list it.
   */
  public static DriftVerdict lost(VolumeId volume, Fact<Node> node, boolean usedLast, String why) {
    return switch (node) {
      case Fact.NotAsked<Node>() -> new DriftVerdict.NeedsNode();
      case Fact.Present<Node>(Node now) ->
          now.volumesInUse().contains(volume.text())
              ? new DriftVerdict.Perhaps(why)
              : new DriftVerdict.Detached(why);
      case Fact.Absent<Node>() ->
          usedLast ? new DriftVerdict.Perhaps(why) : new DriftVerdict.Detached(why);
      case Fact.Unknown<Node> _ -> new DriftVerdict.Perhaps(why);
    };
  }
}
