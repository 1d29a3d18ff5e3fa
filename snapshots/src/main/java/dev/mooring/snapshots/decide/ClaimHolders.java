package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;

/**
 * What may hold a claim that is being deleted.
 *
 * @param snapshots those of its namespace
 * @param contents all
 * @param ofGroups all contents of groups
 */
public record ClaimHolders(
    List<VolumeSnapshot> snapshots,
    List<SnapshotContent> contents,
    List<GroupSnapshotContent> ofGroups) {
  /** Copies the lists. */
  public ClaimHolders {
    snapshots = List.copyOf(snapshots);
    contents = List.copyOf(contents);
    ofGroups = List.copyOf(ofGroups);
  }

  /** Whether a snapshot is to be made of the claim, or may be being made of its volume. */
  public boolean hold(Claim claim, Volume volume) {
    return snapshots.stream()
            .filter(snapshot -> snapshot.sourceClaim().equals(claim.meta().name()))
            .anyMatch(ContentDecider::holdsItsClaim)
        || contents.stream().anyMatch(content -> ContentDecider.holds(content, volume))
        || ofGroups.stream().anyMatch(content -> ContentDecider.holds(content, volume));
  }
}
