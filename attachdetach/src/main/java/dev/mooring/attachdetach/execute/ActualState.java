package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.ContestedNodes;
import dev.mooring.attachdetach.decide.DetachCheck.User;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.WorldUpdate;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What operations have to know of what is attached, at this moment, and to whom they report how
 * they begin and end: they write nothing of it themselves. Thread-safe.
 */
public interface ActualState {
  /**
   * Reports.
   *
   * @return whether a volume may be on a node of which nothing was known there
   */
  boolean update(WorldUpdate update);

  /** Which change to what is held there was the last one; 0 if nothing is. */
  long change(VolumeId id, String node);

  /**
   * Reports what was found about a volume on a node by somebody who asked after that change.
   *
   * @return false, and nothing is taken in, if another change has come since
   */
  boolean updateUnlessChanged(VolumeId id, String node, long change, WorldUpdate found);

  /** Whether the node's status is to list it. */
  boolean isListed(VolumeId id, String node);

  /** Whether it is attached there. */
  Held held(VolumeId id, String node);

  /** Whether a node has the volume, or may have it, for a use that allows one node at a time. */
  boolean isExclusive(VolumeId id);

  /** The volume as attached there; null if it is not attached, or known only from a status. */
  @Nullable AttachTarget target(VolumeId id, String node);

  /**
   * Whether an earlier Node of that name said that it uses the volume, and no later one has been
   * ready yet.
   */
  boolean saidBefore(VolumeId id, String node);

  /**
   * Whether pods on the node wait for the volume, and its status has not listed it since the node
   * did not use it.
   */
  boolean isNeverListed(VolumeId id, String node);

  /** The volumes that are or may be attached to the node. */
  List<VolumeId> on(String node);

  /** The pods that needed it there last. */
  List<User> lastUsers(VolumeId id, String node);

  /** The nodes to which something is or may be attached, in order. */
  List<String> nodes();

  /** The volumes that are certainly attached to the node. */
  List<VolumeId> attachedTo(String node);

  /** The volumes on the node that are contested, or that only attachments tell of. */
  List<VolumeId> contestedOn(String node);

  /**
   * The nodes that may have the volume while no attach to any of them was confirmed; null unless
   * there are several.
   */
  @Nullable ContestedNodes contest(VolumeId id);

  /**
   * The nodes that may have the volume only because of a VolumeAttachment that this process did not
   * create, with the last change of each.
   */
  Map<String, Long> found(VolumeId id);

  /** What the node's status is to list: unique names in order, with device paths. */
  SortedMap<String, String> reportOf(String node);

  /** When the node's list was written last, if it has to be written again soon. */
  OptionalLong lastWriteOfMany(String node);
}
