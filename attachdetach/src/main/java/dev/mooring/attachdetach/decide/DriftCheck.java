package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;

/**
 * Decides whether a volume that counts as attached is detached, after a sign of that. A detached
 * volume may go to another node, so the server decides, not the cache.
 */
public final class DriftCheck {
  public sealed interface DriftVerdict {
    record Attached() implements DriftVerdict {}

    // the volume is not attached, but the node may have it mounted
    record Perhaps(String why) implements DriftVerdict {}

    record Detached(String why) implements DriftVerdict {}

    // the server did not answer: the volume still counts as attached
    record Unknown(String why) implements DriftVerdict {}
  }

  private DriftCheck() {}

  /**
   * Decides about a CSI volume.
   *
   * @param key VolumeAttachment of the volume to the node
   * @param unmanaged whether the node's kubelet attaches volumes itself; such a node has the volume
   *     while the VolumeAttachment exists
   * @param usedLast whether the node used the volume, as far as the caches show
   */
  public static Step<DriftVerdict> decide(
      VolumeNode at, ObjectKey key, boolean unmanaged, boolean usedLast, LiveFacts live) {
    return switch (live.of(Kind.ATTACHMENT, key)) {
      case Fact.NotAsked<Attachment>() -> Step.ask(Kind.ATTACHMENT, key);
      case Fact.Present<Attachment>(Attachment found) when unmanaged || found.attached() ->
          Step.decided(new DriftVerdict.Attached());
      case Fact.Present<Attachment> _ ->
          lost(at, usedLast, "its VolumeAttachment is not attached", live);
      case Fact.Absent<Attachment>() -> lost(at, usedLast, "it has no VolumeAttachment", live);
      case Fact.Unknown<Attachment>(String why) -> Step.decided(new DriftVerdict.Unknown(why));
    };
  }

  /**
   * Decides about a volume that is certainly not attached. A node that reports it in use may have
   * it mounted, whatever happened to the attachment. No other node gets the volume before that
   * report ends. The rule survives a restart, because the node's status keeps listing the volume.
   */
  public static Step<DriftVerdict> lost(
      VolumeNode at, boolean usedLast, String why, LiveFacts live) {
    ObjectKey key = ObjectKey.cluster(at.node());
    return switch (live.of(Kind.NODE, key)) {
      case Fact.NotAsked<Node>() -> Step.ask(Kind.NODE, key);
      case Fact.Present<Node>(Node now) ->
          lost(
              now.volumesInUse().contains(at.volume().text()) || (usedLast && !now.isReady()), why);
      case Fact.Absent<Node>() -> lost(usedLast, why);
      case Fact.Unknown<Node> _ -> lost(true, why);
    };
  }

  private static Step<DriftVerdict> lost(boolean mayBeMounted, String why) {
    return Step.decided(
        mayBeMounted ? new DriftVerdict.Perhaps(why) : new DriftVerdict.Detached(why));
  }
}
