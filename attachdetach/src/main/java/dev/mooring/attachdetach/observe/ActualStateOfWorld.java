package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Which volumes are attached to which nodes, as far as it is known, and what nodes' statuses are to
 * say about it: to be read. {@link ActualStateUpdater} alone writes it. Thread-safe.
 */
public interface ActualStateOfWorld {
  /**
   * One volume on one node.
   *
   * @param node the node
   * @param held whether it is attached there
   * @param reported whether the node's status is to list it
   * @param onlyInUse whether only the node's list of volumes in use shows it
   * @param unwantedSince since when nobody there needs it, on the monotonic clock; 0 while somebody
   *     does or nobody looked
   */
  record Place(String node, Held held, boolean reported, boolean onlyInUse, long unwantedSince) {}

  /** Whether it is attached there. */
  Held held(VolumeId id, String node);

  /** Whether a node that is gone used the volume: yes, if nobody heard what it said last. */
  boolean wasInUse(VolumeId id, String node);

  /** The nodes that have the volume or may have it. */
  List<Place> places(VolumeId id);

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

  /** The volume as it is or may be on that node; null if it is not. */
  @Nullable Place place(VolumeId id, String node);

  /** Whether a node has the volume, or may have it, for a use that allows one node at a time. */
  boolean isExclusive(VolumeId id);

  /** The volume as attached there; null if it is not attached, or known only from a status. */
  @Nullable AttachTarget target(VolumeId id, String node);

  /** The volumes that are or may be attached to the node. */
  List<VolumeId> on(String node);

  /** What the node's status is to list: unique names in order, with device paths. */
  SortedMap<String, String> reportOf(String node);

  /** How many pairs of volume and node there are, by metrics label; those without target not. */
  Map<String, Integer> counts();
}
