package dev.mooring.snapshots.decide;

import static dev.mooring.snapshots.decide.Given.OWN;
import static dev.mooring.snapshots.decide.Given.UID;
import static dev.mooring.snapshots.decide.Given.content;
import static dev.mooring.snapshots.decide.Given.meta;
import static dev.mooring.snapshots.decide.Given.ofSnapshot;
import static dev.mooring.snapshots.decide.Given.ofVolume;
import static dev.mooring.snapshots.decide.Given.snapshot;
import static dev.mooring.snapshots.decide.Given.status;
import static dev.mooring.snapshots.decide.Given.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContentDeciderTest {
  private static SnapshotContent of(Uid uid, SnapshotContent.Source source) {
    return content(OWN, uid, source, SnapshotContent.Status.NONE);
  }

  @Test
  void boundContentsAreHeld() {
    assertThat(ContentDecider.isToBeHeld(of(UID, ofVolume()))).isTrue();
    assertThat(ContentDecider.isToBeHeld(of(UID, ofSnapshot()))).isTrue();
    assertThat(ContentDecider.isToBeHeld(of(Uid.NONE, ofSnapshot()))).isFalse();
    SnapshotContent content = of(UID, ofVolume());
    List<String> held = List.of(SnapshotContent.BOUND_PROTECTION);
    assertThat(
            ContentDecider.isToBeHeld(
                with(
                    content,
                    ReclaimPolicy.DELETE,
                    meta(content.key(), content.meta().uid(), false, held))))
        .isFalse();
    assertThat(
            ContentDecider.isToBeHeld(
                with(
                    content,
                    ReclaimPolicy.DELETE,
                    meta(content.key(), content.meta().uid(), true, List.of()))))
        .isFalse();
  }

  @Test
  void aContentHasOneSource() {
    assertThat(ContentDecider.flaw(of(UID, ofVolume()))).isEmpty();
    assertThat(ContentDecider.flaw(of(UID, ofSnapshot()))).isEmpty();
    assertThat(ContentDecider.flaw(of(UID, new SnapshotContent.Source("", "")))).isNotEmpty();
    assertThat(ContentDecider.flaw(of(UID, new SnapshotContent.Source("v", "s")))).isNotEmpty();
    assertThat(ContentDecider.isToBeHeld(of(UID, new SnapshotContent.Source("", "")))).isFalse();
  }

  @Test
  void aClaimIsHeldUntilItsSnapshotIsReady() {
    assertThat(ContentDecider.holdsItsClaim(snapshot("a", "", ""))).isTrue();
    assertThat(ContentDecider.holdsItsClaim(snapshot("", "c", ""))).isFalse();
    assertThat(
            ContentDecider.holdsItsClaim(
                with(snapshot("a", "", ""), snapshot("a", "", "").meta(), status(OWN, true, 5))))
        .isFalse();
  }
}
