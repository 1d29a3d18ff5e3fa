package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.ContestedNodes;
import dev.mooring.attachdetach.decide.DetachCheck.PastUser;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.WorldUpdate;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Actual state of world as operations see it. They report updates and never write it directly.
 * Thread-safe.
 */
public interface ActualState {
  /**
   * Reports an update.
   *
   * @return whether the volume may now be on a node where nothing was known of it
   */
  boolean update(WorldUpdate update);

  /** Returns the number of the last change to the volume on that node; 0 if it is not there. */
  long change(VolumeId id, String node);

  /**
   * Reports an update that rests on a read made after that change.
   *
   * @return false, without effect, if another change has come since
   */
  boolean updateUnlessChanged(VolumeId id, String node, long change, WorldUpdate found);

  boolean isListed(VolumeId id, String node);

  Held held(VolumeId id, String node);

  boolean isExclusive(VolumeId id);

  @Nullable AttachTarget target(VolumeId id, String node);

  /**
   * Returns whether an earlier Node of that name reported the volume in use, and no later one has
   * been ready yet.
   */
  boolean usedByEarlierNode(VolumeId id, String node);

  /**
   * Returns whether pods on the node wait for the volume, and its status has not listed it since
   * the node did not use it.
   */
  boolean isNeverListed(VolumeId id, String node);

  List<VolumeId> on(String node);

  List<PastUser> lastUsers(VolumeId id, String node);

  List<String> nodes();

  List<VolumeId> attachedTo(String node);

  List<VolumeId> contestedOn(String node);

  /**
   * Returns the nodes that may have the volume if there are several and no attach to any of them
   * was confirmed; null otherwise.
   */
  @Nullable ContestedNodes contest(VolumeId id);

  /**
   * Returns the nodes that may have the volume only because of a VolumeAttachment that this process
   * did not create, with the number of the last change on each.
   */
  Map<String, Long> found(VolumeId id);

  SortedMap<String, String> reportOf(String node);

  /**
   * Returns the time of the last write of the node's list on the monotonic clock, if more volumes
   * are being attached; empty otherwise.
   */
  OptionalLong lastWriteOfMany(String node);
}
