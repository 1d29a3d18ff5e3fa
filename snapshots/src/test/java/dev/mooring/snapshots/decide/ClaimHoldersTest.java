package dev.mooring.snapshots.decide;

import static dev.mooring.snapshots.decide.SnapshotObjects.DRIVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClaimHoldersTest {
  private static final Claim CLAIM = SnapshotObjects.heldClaim();

  private static boolean holds(
      List<VolumeSnapshot> snapshots,
      List<SnapshotContent> contents,
      List<GroupSnapshotContent> ofGroups) {
    return Stream.of(
            ClaimHolders.ofSnapshots(snapshots),
            ClaimHolders.ofContents(contents),
            ClaimHolders.ofGroups(ofGroups))
        .anyMatch(holders -> holders.contains(CLAIM, SnapshotObjects.volume()));
  }

  @Test
  void contains_noHolders_isFalse() {
    assertThat(holds(List.of(), List.of(), List.of())).isFalse();
  }

  @Test
  void contains_pendingSnapshotOfClaim_isTrue() {
    VolumeSnapshot pendingSnapshot = SnapshotObjects.snapshot(CLAIM.meta().name(), "", "");
    assertThat(holds(List.of(pendingSnapshot), List.of(), List.of())).isTrue();
    VolumeSnapshot readySnapshot =
        TestObjects.like(pendingSnapshot)
            .status(SnapshotObjects.status(SnapshotObjects.OWN, true, 5))
            .build();
    assertThat(holds(List.of(readySnapshot), List.of(), List.of())).isFalse();
    assertThat(holds(List.of(SnapshotObjects.snapshot("another", "", "")), List.of(), List.of()))
        .isFalse();
  }

  @Test
  void contains_contentBeingCreated_isTrue() {
    SnapshotContent cut =
        TestObjects.snapshotContent(SnapshotObjects.OWN)
            .driver(DRIVER)
            .policy(ReclaimPolicy.DELETE)
            .source(SnapshotObjects.ofVolume())
            .annotation(SnapshotContent.BEING_CREATED, "yes")
            .build();
    assertThat(holds(List.of(), List.of(cut), List.of())).isTrue();
    SnapshotContent foreignContent = TestObjects.like(cut).driver("another").build();
    assertThat(holds(List.of(), List.of(foreignContent), List.of())).isFalse();
  }

  @Test
  void contains_groupContentBeingCreated_isTrue() {
    GroupSnapshotContent cut =
        TestObjects.groupSnapshotContent("groupsnapcontent-1")
            .driver(DRIVER)
            .policy(ReclaimPolicy.DELETE)
            .source(
                new GroupSnapshotContent.Source(
                    List.of(SnapshotObjects.ofVolume().volumeHandle()), "", List.of()))
            .annotation(GroupSnapshotContent.BEING_CREATED, "yes")
            .build();
    assertThat(holds(List.of(), List.of(), List.of(cut))).isTrue();
    GroupSnapshotContent retainedContent =
        TestObjects.like(cut).policy(ReclaimPolicy.RETAIN).build();
    assertThat(holds(List.of(), List.of(), List.of(retainedContent))).isFalse();
  }
}
