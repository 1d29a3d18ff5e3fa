package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.CsiDriver;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a cache shows and tells, whatever it hears. */
class InformerTest extends InformerFixture {
  @Test
  void whoListensForChangesIsNotToldOfWhatIsThere() {
    replaced(List.of(driver("a", 1)), 1);
    List<String> heard = new ArrayList<>();
    informer.onChange(change -> heard.add(change.key().name()));
    assertThat(heard).isEmpty();
    informer.observed(driver("b", 2));
    informer.observed(driver("a", "u-a", 3, false));
    assertThat(heard).containsExactly("b", "a");
  }

  @Test
  void i1_aSnapshotNeverChanges() {
    replaced(List.of(driver("a", 1)), 1);
    Snapshot<CsiDriver> before = informer.snapshot();
    informer.observed(driver("b", 2));
    informer.observed(driver("a", "u-a", 3, false));
    assertThat(before.size()).isEqualTo(1);
    assertThat(before.by(byAttach, true)).hasSize(1);
    assertThat(informer.snapshot().size()).isEqualTo(2);
    assertThat(informer.snapshot().by(byAttach, false))
        .extracting(d -> d.meta().name())
        .containsExactly("a");
    assertThat(informer.snapshot().by(byAttach, true))
        .extracting(d -> d.meta().name())
        .containsExactly("b");
  }

  @Test
  void i2_aHandlerIsToldEachChangeOnceAndInOrder() {
    replaced(List.of(driver("a", 1)), 1);
    listen();
    informer.observed(driver("a", 2));
    informer.observed(driver("a", 2));
    informer.observedDeletion(driver("a", 3));
    assertThat(told).containsExactly("+a@1", "~a@1>2", "-a@3");
  }

  /** A peer puts what a re-list finds into its cache without telling. */
  @Test
  void i3_aReListTellsWhatChangedCameAndVanished() {
    replaced(List.of(driver("a", 1), driver("b", 2)), 2);
    listen();
    told.clear();
    replaced(List.of(driver("b", 5), driver("c", 6)), 6);
    assertThat(told).containsExactlyInAnyOrder("-a@1", "~b@2>5", "+c@6");
  }

  @Test
  void i4_anOwnWriteIsVisibleAtOnceAndNoOlderEventUndoesIt() {
    replaced(List.of(driver("a", 1)), 1);
    listen();
    told.clear();
    informer.wrote(driver("a", 5));
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(d -> d.meta().resourceVersion())
        .isEqualTo(5L);
    informer.observed(driver("a", 3));
    informer.observed(driver("a", 5));
    assertThat(told).containsExactly("~a@1>5");
  }

  @Test
  void i4_anOwnCreationSurvivesAnOlderList() {
    replaced(List.of(), 1);
    long list = informer.listBegins();
    informer.wrote(driver("a", 5));
    informer.replaced(List.of(), 4, list);
    assertThat(informer.snapshot().size()).isEqualTo(1);
    replaced(List.of(), 6);
    assertThat(informer.snapshot().size()).isZero();
  }

  @Test
  void i4_aLateAnswerDoesNotBringBackWhatTheWatchSawGo() {
    replaced(List.of(driver("a", 1)), 1);
    informer.observedDeletion(driver("a", 7));
    informer.wrote(driver("a", 6));
    assertThat(informer.snapshot().size()).isZero();
  }

  @Test
  void i5_anOwnDeletionIsVisibleAtOnceAndNoLateEventUndoesIt() {
    replaced(List.of(driver("a", 1)), 1);
    long list = informer.listBegins();
    informer.deleted(ObjectKey.cluster("a"), Uid.of("u-a"));
    assertThat(informer.snapshot().size()).isZero();
    informer.observed(driver("a", 2));
    informer.replaced(List.of(driver("a", 2)), 2, list);
    assertThat(informer.snapshot().size()).as("the same object, seen late").isZero();
    informer.observed(driver("a", "its successor", 4, true));
    assertThat(informer.snapshot().size()).as("another of that name").isEqualTo(1);
  }

  @Test
  void i7_aBookmarkMovesTheVersionAndNothingElse() {
    replaced(List.of(driver("a", 1)), 1);
    listen();
    told.clear();
    informer.observedVersion(9);
    assertThat(informer.watchedVersion()).isEqualTo(9);
    assertThat(told).isEmpty();
  }

  /** The versions have passed ours since: what is listed counts, not what is newer. */
  @Test
  void i8_aListCountsWhateverItsVersionsAre() {
    replaced(List.of(driver("a", 900), driver("b", 400)), 1000);
    replaced(List.of(driver("a", 480), driver("b", "another", 400, true)), 1200);
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(d -> d.meta().resourceVersion())
        .isEqualTo(480L);
    assertThat(informer.snapshot().get(ObjectKey.cluster("b")))
        .get()
        .extracting(d -> d.meta().uid())
        .isEqualTo(Uid.of("another"));
  }

  /**
   * A volume stayed Pending for ever: what it was like under the same version had been Available.
   */
  @Test
  void i8_aVersionThatARestoredServerGivesOutAgainHidesNothing() {
    replaced(List.of(driver("a", "u-a", 400, true)), 400);
    replaced(List.of(driver("a", "u-a", 400, false)), 400);
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(CsiDriver::attachRequired)
        .isEqualTo(false);
  }

  @Test
  void i8_ownWritesThatARestoreHasUndoneHideNothing() {
    replaced(List.of(driver("a", 1), driver("b", 2)), 2);
    informer.wrote(driver("a", 1000));
    informer.wrote(driver("new", 1001));
    informer.deleted(ObjectKey.cluster("b"), Uid.of("u-b"));
    replaced(List.of(driver("a", 1), driver("b", 2)), 500);
    assertThat(informer.snapshot().get(ObjectKey.cluster("a")))
        .get()
        .extracting(d -> d.meta().resourceVersion())
        .isEqualTo(1L);
    assertThat(informer.snapshot().get(ObjectKey.cluster("b"))).isPresent();
    assertThat(informer.snapshot().get(ObjectKey.cluster("new"))).isEmpty();
  }
}
