package dev.mooring.attachdetach.decide;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What becomes known about volumes on nodes: operations report how they begin and end, the start
 * what it finds, event handlers which nodes and pods have gone. The actual state of world is what
 * these make it, one after the other, and nothing else changes it.
 */
public sealed interface WorldUpdate {
  /**
   * An attach begins, because a pod there needs the volume: from now on it may be attached.
   *
   * @param target the volume
   * @param node where to
   */
  record Attaching(AttachTarget target, String node) implements WorldUpdate {}

  /**
   * It is attached there, and the node's status is to say so.
   *
   * @param volume the volume
   * @param node where
   * @param devicePath what the node is told of it
   * @param target the volume as it was attached; null if that is not known
   */
  record Attached(VolumeId volume, String node, String devicePath, @Nullable AttachTarget target)
      implements WorldUpdate {}

  /**
   * It may be attached there: a detach begins, or what was thought attached was not found; or the
   * node says that it uses it, and no pod there waits for it.
   *
   * @param volume the volume
   * @param node where
   * @param target the volume as it may be attached; null if that is not known
   */
  record Uncertain(VolumeId volume, String node, @Nullable AttachTarget target)
      implements WorldUpdate {}

  /**
   * It may be attached there, and all that tells so is an attachment that this process has not
   * asked for. Of what was known there before it changes nothing.
   *
   * @param volume the volume
   * @param node where
   * @param target the volume as it may be attached
   */
  record Found(VolumeId volume, String node, AttachTarget target) implements WorldUpdate {}

  /**
   * It is not attached there: it was detached, or the attach did nothing.
   *
   * @param volume the volume
   * @param node where
   */
  record NotAttached(VolumeId volume, String node) implements WorldUpdate {}

  /**
   * The node's status is to list it, or not to; nothing if it is not there.
   *
   * @param volume the volume
   * @param node whose status
   * @param listed whether
   */
  record Listed(VolumeId volume, String node, boolean listed) implements WorldUpdate {}

  /**
   * The node's list is being written.
   *
   * @param node whose list
   * @param now when, on the monotonic clock
   */
  record ListWritten(String node, long now) implements WorldUpdate {}

  /**
   * A pod there needs it.
   *
   * @param volume the volume
   * @param node where
   */
  record Needed(VolumeId volume, String node) implements WorldUpdate {}

  /**
   * Nobody there needs it any more; the first time counts.
   *
   * @param volume the volume
   * @param node where
   * @param now when, on the monotonic clock
   */
  record Unneeded(VolumeId volume, String node, long now) implements WorldUpdate {}

  /**
   * A pod is known to need it no more: it ended, or is gone from the caches.
   *
   * @param volume the volume
   * @param use the pod, and its node
   */
  record PodLeft(VolumeId volume, PodUse use) implements WorldUpdate {}

  /**
   * The pods on a node that use it have changed. Nothing if it is not there.
   *
   * @param volume the volume
   * @param node the pods' node
   * @param exclusive whether one of them uses it in a way that allows one node at a time
   */
  record Used(VolumeId volume, String node, boolean exclusive) implements WorldUpdate {}

  /**
   * A node lists the volume in use, and no attachment, list or pod confirms it.
   *
   * @param volume the volume
   * @param node the node
   */
  record OnlyInUse(VolumeId volume, String node) implements WorldUpdate {}

  /**
   * A pod on a node begins to want it, and the node neither uses nor lists it.
   *
   * @param volume the volume
   * @param node the node
   */
  record NotInUse(VolumeId volume, String node) implements WorldUpdate {}

  /**
   * No pod on the node wants the volume.
   *
   * @param volume the volume
   * @param node the node
   */
  record Unused(VolumeId volume, String node) implements WorldUpdate {}

  /**
   * A node's status lists these volumes as attached. Any client may have written it.
   *
   * @param node the node
   * @param names the unique names
   */
  record ListSeen(String node, Set<String> names) implements WorldUpdate {}

  /**
   * A PersistentVolume that a pod uses allows many nodes, whatever it said when it was attached.
   *
   * @param target the PersistentVolume as something to attach
   */
  record Shared(AttachTarget target) implements WorldUpdate {}

  /**
   * A PersistentVolume allows one node at a time. An attachment known only from a node's status
   * counts as an attachment of that PersistentVolume.
   *
   * @param volume the volume
   */
  record AssumedExclusive(VolumeId volume) implements WorldUpdate {}

  /**
   * The node is gone.
   *
   * @param node its name
   * @param inUse what it said last that it uses
   */
  record NodeGone(String node, List<String> inUse) implements WorldUpdate {}

  /**
   * There is a node of that name (again), and it is ready: it speaks for itself.
   *
   * @param node its name
   */
  record NodeBack(String node) implements WorldUpdate {}
}
