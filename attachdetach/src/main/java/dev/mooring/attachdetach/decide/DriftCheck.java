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
   * Decides about a volume on a node whose kubelet attaches and detaches it: it has it as long as
   * there is a VolumeAttachment.
   */
  public static DriftVerdict ofUnmanaged(
      VolumeId volume, Fact<Attachment> attachment, Fact<Node> node, boolean usedLast) {
    return attachment instanceof Fact.Present<Attachment>
        ? new DriftVerdict.Attached()
        : decide(volume, attachment, node, usedLast);
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
          now.volumesInUse().contains(volume.text()) || (usedLast && !now.isReady())
              ? new DriftVerdict.Perhaps(why)
              : new DriftVerdict.Detached(why);
      case Fact.Absent<Node>() ->
          usedLast ? new DriftVerdict.Perhaps(why) : new DriftVerdict.Detached(why);
      case Fact.Unknown<Node> _ -> new DriftVerdict.Perhaps(why);
    };
  }
}
