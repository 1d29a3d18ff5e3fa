package dev.mooring.snapshots.decide;

import static dev.mooring.snapshots.decide.SnapshotObjects.OWN;
import static dev.mooring.snapshots.decide.SnapshotObjects.UID;
import static dev.mooring.snapshots.decide.SnapshotObjects.content;
import static dev.mooring.snapshots.decide.SnapshotObjects.held;
import static dev.mooring.snapshots.decide.SnapshotObjects.ofSnapshot;
import static dev.mooring.snapshots.decide.SnapshotObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.snapshots.decide.SnapshotView.Membership;
import dev.mooring.testkit.Builders;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a snapshot shows of its content and of its group. */
class SnapshotStatusTest extends SnapshotDeciderFixture {
  @Test
  void theStatusIsTheContents() {
    SnapshotStep.Show show =
        (SnapshotStep.Show)
            SnapshotDecider.decide(view(dynamic("fast"), own(READY), held(), volume(), CLASS));
    assertThat(show.now())
        .isEqualTo(
            new VolumeSnapshot.Status(
                OWN, true, 5, Optional.of(Quantity.of("1Mi")), Problem.NONE, ""));
    assertThat(show.created()).isTrue();
    assertThat(show.ready()).isTrue();
  }

  @Test
  void whatFailedIsShownOnceAndOverWhenItIsReady() {
    SnapshotStep.Show failed =
        (SnapshotStep.Show)
            SnapshotDecider.decide(view(dynamic("fast"), own(FAILED), held(), volume(), CLASS));
    assertThat(failed.now().problem()).isEqualTo(new Problem(3, "no"));
    VolumeSnapshot told =
        Builders.like(bound(dynamic("fast"), OWN, false)).status(failed.now()).build();
    assertThat(SnapshotDecider.decide(view(told, own(FAILED), held(), volume(), CLASS)))
        .isEqualTo(CommonStep.REST);
    SnapshotStep.Show ready =
        (SnapshotStep.Show) SnapshotDecider.decide(view(told, own(READY), held(), volume(), CLASS));
    assertThat(ready.now().problem()).isEqualTo(Problem.NONE);
  }

  /** Which group it was cut with is known when the group's content says so, which may be later. */
  @Test
  void oneThatIsReadyLearnsItsGroup() {
    SnapshotView ready =
        view(
            bound(preProvisioned(""), "c", true),
            content("c", UID, ofSnapshot(), READY),
            null,
            null,
            CLASS);
    VolumeSnapshot.Status shown =
        ((SnapshotStep.Show) SnapshotDecider.decide(ready.of(new Membership(true, "g")))).now();
    assertThat(shown.group()).isEqualTo("g");
    assertThat(shown.ready()).isTrue();
  }
}
