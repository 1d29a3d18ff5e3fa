package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What holds claims that are being deleted, made of one list, which many claims share.
 *
 * @param claims the claims that a snapshot is to be made of
 * @param volumes the volumes that a driver may be making a snapshot of
 */
public record ClaimHolders(Set<ObjectKey> claims, Set<VolumeHandle> volumes) {
  /** A volume at a driver. */
  public record VolumeHandle(String driver, String id) {}

  /** Copies the sets. */
  public ClaimHolders {
    claims = Set.copyOf(claims);
    volumes = Set.copyOf(volumes);
  }

  /** The VolumeSnapshots of a namespace. */
  public static ClaimHolders ofSnapshots(List<VolumeSnapshot> snapshots) {
    Set<ObjectKey> claims = new HashSet<>();
    for (VolumeSnapshot snapshot : snapshots) {
      if (ContentDecider.holdsItsClaim(snapshot)) {
        claims.add(new ObjectKey(snapshot.key().namespace(), snapshot.sourceClaim()));
      }
    }
    return new ClaimHolders(claims, Set.of());
  }

  /** All VolumeSnapshotContents. */
  public static ClaimHolders ofContents(List<SnapshotContent> contents) {
    Set<VolumeHandle> volumes = new HashSet<>();
    for (SnapshotContent content : contents) {
      if (ContentDecider.holdsItsVolume(content)) {
        volumes.add(new VolumeHandle(content.driver(), content.source().volumeHandle()));
      }
    }
    return new ClaimHolders(Set.of(), volumes);
  }

  /** All VolumeGroupSnapshotContents. */
  public static ClaimHolders ofGroups(List<GroupSnapshotContent> contents) {
    Set<VolumeHandle> volumes = new HashSet<>();
    for (GroupSnapshotContent content : contents) {
      if (ContentDecider.holdsItsVolumes(content)) {
        content
            .source()
            .volumeHandles()
            .forEach(id -> volumes.add(new VolumeHandle(content.driver(), id)));
      }
    }
    return new ClaimHolders(Set.of(), volumes);
  }

  /** Whether a snapshot is to be made of the claim, or may be being made of its volume. */
  public boolean hold(Claim claim, Volume volume) {
    return claims.contains(claim.key())
        || volume.source().type().equals("csi")
            && volumes.contains(
                new VolumeHandle(
                    volume.source().attribute("driver"),
                    volume.source().attribute("volumeHandle")));
  }
}
