package dev.mooring.snapshots.decide;

import static dev.mooring.snapshots.decide.SnapshotObjects.OWN;
import static dev.mooring.snapshots.decide.SnapshotObjects.UID;
import static dev.mooring.snapshots.decide.SnapshotObjects.content;
import static dev.mooring.snapshots.decide.SnapshotObjects.heldClaim;
import static dev.mooring.snapshots.decide.SnapshotObjects.ofSnapshot;
import static dev.mooring.snapshots.decide.SnapshotObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.snapshots.decide.SnapshotView.Membership;
import dev.mooring.testkit.TestObjects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Status of a snapshot, computed from its content and group. */
class SnapshotStatusTest extends SnapshotDeciderFixture {
  @Test
  void decide_readyContent_copiesStatus() {
    SnapshotStep.WriteStatus step =
        (SnapshotStep.WriteStatus)
            SnapshotDecider.decide(
                view(dynamic("fast"), ownContent(READY), heldClaim(), volume(), CLASS));
    assertThat(step.newStatus())
        .isEqualTo(
            new VolumeSnapshot.Status(
                OWN, true, 5, Optional.of(Quantity.of("1Mi")), Problem.NONE, ""));
    assertThat(step.becomesCreated()).isTrue();
    assertThat(step.becomesReady()).isTrue();
  }

  @Test
  void decide_failedContent_reportsOnceUntilReady() {
    SnapshotStep.WriteStatus failed =
        (SnapshotStep.WriteStatus)
            SnapshotDecider.decide(
                view(dynamic("fast"), ownContent(FAILED), heldClaim(), volume(), CLASS));
    assertThat(failed.newStatus().problem()).isEqualTo(new Problem(3, "no"));
    VolumeSnapshot failedSnapshot =
        TestObjects.like(bound(dynamic("fast"), OWN, false)).status(failed.newStatus()).build();
    assertThat(
            SnapshotDecider.decide(
                view(failedSnapshot, ownContent(FAILED), heldClaim(), volume(), CLASS)))
        .isEqualTo(CommonStep.NO_ACTION);
    SnapshotStep.WriteStatus ready =
        (SnapshotStep.WriteStatus)
            SnapshotDecider.decide(
                view(failedSnapshot, ownContent(READY), heldClaim(), volume(), CLASS));
    assertThat(ready.newStatus().problem()).isEqualTo(Problem.NONE);
  }

  /**
   * The group of a snapshot is known only when the group's content exists, possibly after the
   * snapshot is ready.
   */
  @Test
  void decide_readySnapshot_addsGroupLater() {
    SnapshotView ready =
        view(
            bound(preProvisioned(""), "c", true),
            content("c", UID, ofSnapshot(), READY),
            null,
            null,
            CLASS);
    VolumeSnapshot.Status status =
        ((SnapshotStep.WriteStatus)
                SnapshotDecider.decide(ready.withMembership(new Membership(true, "g"))))
            .newStatus();
    assertThat(status.group()).isEqualTo("g");
    assertThat(status.ready()).isTrue();
  }
}
