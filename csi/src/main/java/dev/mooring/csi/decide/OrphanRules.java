package dev.mooring.csi.decide;

import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.storage.decide.VolumeOrigin;
import java.util.Map;
import java.util.Set;

/**
 * Decides which volumes of a driver are orphaned: this cluster deleted them, and the driver keeps
 * listing them. Only volumes that an object of this cluster had are reviewed. All others may belong
 * to another cluster on the same storage.
 */
public final class OrphanRules {
  public sealed interface Review {
    // the volume is gone, or a later object of this cluster names it
    record Forget() implements Review {}

    // nothing to report: the next list decides
    record Watch(AbandonedVolume volume) implements Review {}

    // the volume is orphaned since this list
    record Report(AbandonedVolume volume) implements Review {}
  }

  /**
   * A complete list of the driver, compared with the cluster after it.
   *
   * @param volumes listed volumes by handle
   * @param unknownHandles handles of the {@link DriverFinding.UnknownVolume}s
   * @param nodeIds ids of this cluster's nodes
   * @param listsNodes whether the list contains the nodes to which volumes are published
   */
  public record DriverList(
      Map<String, ListedVolume> volumes,
      Set<String> unknownHandles,
      Set<String> nodeIds,
      boolean listsNodes) {}

  /**
   * Objects that may need a volume again.
   *
   * @param volumes uids of the PersistentVolumes with each handle
   * @param pendingClaims uids of claims without a volume
   * @param snapshotSources handles of volumes from which snapshots are taken
   */
  public record References(
      Map<String, Set<Uid>> volumes, Set<Uid> pendingClaims, Set<String> snapshotSources) {}

  private OrphanRules() {}

  public static Review review(AbandonedVolume volume, DriverList list, References references) {
    ListedVolume listed = list.volumes().get(volume.handle());
    if (listed == null || isNamedByOther(volume, references)) {
      return new Review.Forget();
    }
    if (!list.unknownHandles().contains(volume.handle())
        || references.pendingClaims().contains(volume.claim())
        || references.snapshotSources().contains(volume.handle())
        || isPublishedElsewhere(listed, list)) {
      return new Review.Watch(volume.withSightings(0));
    }
    AbandonedVolume updated = volume.withSightings(volume.sightings() + 1);
    return updated.isOrphaned() && !volume.isOrphaned()
        ? new Review.Report(updated)
        : new Review.Watch(updated);
  }

  private static boolean isNamedByOther(AbandonedVolume volume, References references) {
    return references.volumes().getOrDefault(volume.handle(), Set.of()).stream()
        .anyMatch(uid -> !uid.equals(volume.uid()));
  }

  // on a node of another cluster
  private static boolean isPublishedElsewhere(ListedVolume listed, DriverList list) {
    return list.listsNodes() && !list.nodeIds().containsAll(listed.nodes());
  }

  /**
   * Returns whether the storage of a vanished object should have been destroyed: Mooring created
   * the object in this cluster, its policy was Delete, and the watch showed its last state. Objects
   * that administrators or backups created may share their storage with another cluster.
   */
  public static boolean isAbandoned(Volume last, boolean isFoundByList) {
    return !isFoundByList
        && last.reclaimPolicy() == ReclaimPolicy.DELETE
        && VolumeOrigin.isOriginal(last);
  }
}
