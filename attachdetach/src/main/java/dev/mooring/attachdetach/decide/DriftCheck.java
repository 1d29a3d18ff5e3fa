package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.model.Attachment;
import dev.mooring.model.Node;

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
   * What the server says of a volume that one node at a time may have, and that may be on two.
   *
   * @param own the VolumeAttachment to the node in question
   * @param rival the one to another node
   * @param node the node in question
   */
  public record Contest(Fact<Attachment> own, Fact<Attachment> rival, Fact<Node> node) {}

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
   * Decides about a volume that may be on the node only because its attachment was once seen. When
   * that is gone, the driver has the volume attached elsewhere and the node was never told that it
   * has it, it has not, even if it says that it uses it: a kubelet says so before it mounts.
   * Without this both nodes wait for each other until a pod goes; a restart would come to the same.
   */
  public static DriftVerdict decide(VolumeId volume, Contest contest) {
    return switch (contest.own()) {
      case Fact.Absent<Attachment>() -> outdone(volume, contest.rival(), contest.node());
      case Fact.Present<Attachment> _ -> new DriftVerdict.Perhaps("it has a VolumeAttachment");
      case Fact.NotAsked<Attachment>() -> new DriftVerdict.Unknown("nobody asked");
      case Fact.Unknown<Attachment>(String why) -> new DriftVerdict.Unknown(why);
    };
  }

  private static DriftVerdict outdone(VolumeId volume, Fact<Attachment> rival, Fact<Node> node) {
    if (!(rival instanceof Fact.Present<Attachment>(Attachment other))
        || !other.attached()
        || other.meta().isBeingDeleted()) {
      return new DriftVerdict.Perhaps("no other node has it for certain");
    }
    return node instanceof Fact.Present<Node>(Node now)
            && !now.volumesAttached().containsKey(volume.text())
        ? new DriftVerdict.Detached("its driver has attached it to node " + other.nodeName())
        : new DriftVerdict.Perhaps("the node may have been told that it has it");
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
