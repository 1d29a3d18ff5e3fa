package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Read access to the actual state of world: the volumes that are attached to nodes, as far as
 * known, and the lists that node statuses must contain. Only {@link ActualStateUpdater} writes it.
 * Thread-safe.
 */
public interface ActualStateOfWorld {
  /**
   * Volume on a node.
   *
   * @param reported whether the node's status must list the volume
   * @param onlyInUse whether only the node's list of volumes in use shows the volume
   * @param unwantedSince when the node was first found without need for it, on the monotonic clock;
   *     0 while a pod needs it or nothing was decided
   */
  record NodeEntry(
      String node, Held held, boolean reported, boolean onlyInUse, long unwantedSince) {}

  Held held(VolumeId id, String node);

  /** Returns whether a deleted Node used the volume; true if its last report is unknown. */
  boolean wasInUse(VolumeId id, String node);

  List<NodeEntry> entries(VolumeId id);

  boolean usedByEarlierNode(VolumeId id, String node);

  boolean isNeverListed(VolumeId id, String node);

  @Nullable NodeEntry entry(VolumeId id, String node);

  boolean isExclusive(VolumeId id);

  @Nullable AttachTarget target(VolumeId id, String node);

  List<VolumeId> on(String node);

  SortedMap<String, String> reportOf(String node);

  Map<String, Integer> counts();
}
