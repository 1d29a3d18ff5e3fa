package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.model.Attachment;
import dev.mooring.model.Node;

/**
 * Decides whether a volume that counts as attached is detached, after a sign of that. A detached
 * volume may go to another node, so the server decides, not the cache.
 */
public final class DriftCheck {
  public sealed interface DriftVerdict {
    record NeedsNode() implements DriftVerdict {}

    record Attached() implements DriftVerdict {}

    // the volume is not attached, but the node may have it mounted
    record Perhaps(String why) implements DriftVerdict {}

    record Detached(String why) implements DriftVerdict {}

    // the server did not answer: the volume still counts as attached
    record Unknown(String why) implements DriftVerdict {}
  }

  private DriftCheck() {}

  public static DriftVerdict decide(
      VolumeId volume, Fact<Attachment> attachment, Fact<Node> node, boolean usedLast) {
    return switch (attachment) {
      case Fact.Present<Attachment>(Attachment found) when found.attached() ->
          new DriftVerdict.Attached();
      case Fact.Present<Attachment> _ ->
          lost(volume, node, usedLast, "its VolumeAttachment is not attached");
      case Fact.Absent<Attachment>() -> lost(volume, node, usedLast, "it has no VolumeAttachment");
      case Fact.NotAsked<Attachment>() -> new DriftVerdict.Unknown("not asked");
      case Fact.Unknown<Attachment>(String why) -> new DriftVerdict.Unknown(why);
    };
  }

  public static DriftVerdict ofUnmanaged(
      VolumeId volume, Fact<Attachment> attachment, Fact<Node> node, boolean usedLast) {
    return attachment instanceof Fact.Present<Attachment>
        ? new DriftVerdict.Attached()
        : decide(volume, attachment, node, usedLast);
  }

  /**
   * Decides about a volume that is certainly not attached. A node that reports it in use may have
   * it mounted, whatever happened to the attachment. No other node gets the volume before that
   * report ends. The rule survives a restart, because the node's status keeps listing the volume.
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
