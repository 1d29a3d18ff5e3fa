package dev.mooring.attachdetach.decide;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Facts about volumes on nodes. Operations report their start and end, recovery reports what it
 * finds, and event handlers report deleted nodes and pods. These updates are the only input of the
 * actual state of world.
 */
public sealed interface WorldUpdate {
  // An attach starts, because a pod needs the volume. From now on it may be attached.
  record Attaching(AttachTarget target, String node) implements WorldUpdate {}

  /**
   * The volume is attached, and the node's status must list it.
   *
   * @param devicePath device path in the node's status
   * @param target the volume as it was attached; null if unknown
   */
  record Attached(VolumeId volume, String node, String devicePath, @Nullable AttachTarget target)
      implements WorldUpdate {}

  /**
   * The volume may be attached: a detach starts; verification did not find it; or the node reports
   * it in use and no pod there waits for it.
   *
   * @param target the volume as it may be attached; null if unknown
   */
  record Uncertain(VolumeId volume, String node, @Nullable AttachTarget target)
      implements WorldUpdate {}

  // The volume may be attached, and the only evidence is an attachment that this process did not
  // request. Ignored if the volume on that node is already known.
  record Found(VolumeId volume, String node, AttachTarget target) implements WorldUpdate {}

  // the volume is not attached: a detach succeeded, or an attach did nothing
  record NotAttached(VolumeId volume, String node) implements WorldUpdate {}

  // The node's status must list the volume, or must not. Ignored if the volume is not there.
  record Listed(VolumeId volume, String node, boolean listed) implements WorldUpdate {}

  record ListWritten(String node, long now) implements WorldUpdate {}

  record Needed(VolumeId volume, String node) implements WorldUpdate {}

  /**
   * No pod on the node needs the volume; the first report counts.
   *
   * @param now time of the monotonic clock
   */
  record Unneeded(VolumeId volume, String node, long now) implements WorldUpdate {}

  // a pod no longer needs the volume: it ended, or is gone from the caches
  record PodLeft(VolumeId volume, PodUse use) implements WorldUpdate {}

  /**
   * The pods that use the volume on a node have changed. Ignored if the volume is not there.
   *
   * @param exclusive whether one of them requires that only one node has the volume
   */
  record Used(VolumeId volume, String node, boolean exclusive) implements WorldUpdate {}

  // a node reports the volume in use, and no attachment, list or pod confirms it
  record OnlyInUse(VolumeId volume, String node) implements WorldUpdate {}

  // a pod on a node starts to want the volume, and the node neither uses nor lists it
  record NotInUse(VolumeId volume, String node) implements WorldUpdate {}

  record Unused(VolumeId volume, String node) implements WorldUpdate {}

  /**
   * A node's status lists these volumes as attached. Any client may have written it.
   *
   * @param names unique names
   */
  record ListSeen(String node, Set<String> names) implements WorldUpdate {}

  // A PersistentVolume in use now allows many nodes, whatever its access modes were at the attach
  record Shared(AttachTarget target) implements WorldUpdate {}

  // A PersistentVolume allows one node at a time. An attachment known only from a node's status
  // counts as an attachment of that PersistentVolume.
  record AssumedExclusive(VolumeId volume) implements WorldUpdate {}

  record NodeGone(String node, List<String> inUse) implements WorldUpdate {}

  // the Node exists again and is ready, so that its own report counts
  record NodeBack(String node) implements WorldUpdate {}
}
