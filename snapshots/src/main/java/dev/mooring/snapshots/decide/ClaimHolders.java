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
 * Reasons to keep claims that are being deleted. One list serves many claims.
 *
 * @param claims the claims of pending snapshots
 * @param volumes volumes that a driver may be reading for a snapshot
 */
public record ClaimHolders(Set<ObjectKey> claims, Set<VolumeHandle> volumes) {
  public record VolumeHandle(String driver, String id) {}

  public ClaimHolders {
    claims = Set.copyOf(claims);
    volumes = Set.copyOf(volumes);
  }

  public static ClaimHolders ofSnapshots(List<VolumeSnapshot> snapshots) {
    Set<ObjectKey> claims = new HashSet<>();
    for (VolumeSnapshot snapshot : snapshots) {
      if (ContentDecider.needsItsClaim(snapshot)) {
        claims.add(new ObjectKey(snapshot.key().namespace(), snapshot.sourceClaim()));
      }
    }
    return new ClaimHolders(claims, Set.of());
  }

  public static ClaimHolders ofContents(List<SnapshotContent> contents) {
    Set<VolumeHandle> volumes = new HashSet<>();
    for (SnapshotContent content : contents) {
      if (ContentDecider.needsItsVolume(content)) {
        volumes.add(new VolumeHandle(content.driver(), content.source().volumeHandle()));
      }
    }
    return new ClaimHolders(Set.of(), volumes);
  }

  public static ClaimHolders ofGroups(List<GroupSnapshotContent> contents) {
    Set<VolumeHandle> volumes = new HashSet<>();
    for (GroupSnapshotContent content : contents) {
      if (ContentDecider.needsItsVolumes(content)) {
        content
            .source()
            .volumeHandles()
            .forEach(id -> volumes.add(new VolumeHandle(content.driver(), id)));
      }
    }
    return new ClaimHolders(Set.of(), volumes);
  }

  public boolean contains(Claim claim, Volume volume) {
    return claims.contains(claim.key())
        || volume.source().type().equals("csi")
            && volumes.contains(
                new VolumeHandle(
                    volume.source().attribute("driver"),
                    volume.source().attribute("volumeHandle")));
  }
}
