package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;

/**
 * Decides whether a volume recorded as attached is detached, after a cache or a driver indicated
 * it. Another node may get a detached volume, so the server decides, not the cache.
 */
public final class DriftCheck {
  public sealed interface DriftVerdict {
    record Attached() implements DriftVerdict {}

    // the volume is not attached, but the node may have it mounted
    record Uncertain(String reason) implements DriftVerdict {}

    record Detached(String reason) implements DriftVerdict {}

    // the server did not answer: the volume still counts as attached
    record Unknown(String message) implements DriftVerdict {}
  }

  private DriftCheck() {}

  /**
   * Decides about a CSI volume.
   *
   * @param key VolumeAttachment of the volume to the node
   * @param isUnmanaged whether the node's kubelet attaches volumes itself; such a node has the
   *     volume while the VolumeAttachment exists
   * @param wasUsed whether the node used the volume, as far as the caches show
   */
  public static Step<DriftVerdict> decide(
      VolumeNode volumeNode, ObjectKey key, boolean isUnmanaged, boolean wasUsed, LiveFacts live) {
    return switch (live.of(Kind.ATTACHMENT, key)) {
      case Fact.NotAsked<Attachment>() -> Step.ask(Kind.ATTACHMENT, key);
      case Fact.Present<Attachment>(Attachment attachment)
          when isUnmanaged || attachment.attached() ->
          Step.decided(new DriftVerdict.Attached());
      case Fact.Present<Attachment> _ ->
          decideDetached(volumeNode, wasUsed, "its VolumeAttachment is not attached", live);
      case Fact.Absent<Attachment>() ->
          decideDetached(volumeNode, wasUsed, "it has no VolumeAttachment", live);
      case Fact.Unknown<Attachment>(String message) ->
          Step.decided(new DriftVerdict.Unknown(message));
    };
  }

  /**
   * Decides about a volume that is certainly not attached. A node that reports it in use may have
   * it mounted, whatever happened to the attachment. No other node gets the volume before that
   * report ends. The rule survives a restart, because the node's status keeps listing the volume.
   */
  public static Step<DriftVerdict> decideDetached(
      VolumeNode volumeNode, boolean wasUsed, String reason, LiveFacts live) {
    ObjectKey key = ObjectKey.cluster(volumeNode.node());
    return switch (live.of(Kind.NODE, key)) {
      case Fact.NotAsked<Node>() -> Step.ask(Kind.NODE, key);
      case Fact.Present<Node>(Node node) ->
          decideDetached(
              node.volumesInUse().contains(volumeNode.volume().text())
                  || (wasUsed && !node.isReady()),
              reason);
      case Fact.Absent<Node>() -> decideDetached(wasUsed, reason);
      case Fact.Unknown<Node> _ -> decideDetached(true, reason);
    };
  }

  private static Step<DriftVerdict> decideDetached(boolean mayBeMounted, String reason) {
    return Step.decided(
        mayBeMounted ? new DriftVerdict.Uncertain(reason) : new DriftVerdict.Detached(reason));
  }
}
