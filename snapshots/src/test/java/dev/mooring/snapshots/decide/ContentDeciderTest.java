package dev.mooring.snapshots.decide;

import static dev.mooring.snapshots.decide.Given.DRIVER;
import static dev.mooring.snapshots.decide.Given.KEY;
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

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Map;
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

  /** Else a claim would stay for one that somebody has deleted, and that its group keeps. */
  @Test
  void oneOfAGroupHoldsNothingItself() {
    VolumeSnapshot member = snapshot("a", "", "");
    assertThat(
            ContentDecider.holdsItsClaim(
                with(
                    member,
                    meta(KEY, UID, true, List.of(VolumeSnapshot.GROUP_PROTECTION)),
                    member.status())))
        .isFalse();
  }

  @Test
  void whatTheDriverMayBeAtHoldsItsVolume() {
    SnapshotContent begun =
        Builders.snapshotContent(OWN)
            .driver(DRIVER)
            .policy(ReclaimPolicy.DELETE)
            .source(ofVolume())
            .annotation(SnapshotContent.BEING_CREATED, "yes")
            .build();
    assertThat(ContentDecider.holds(begun, Given.volume())).isTrue();
    SnapshotContent kept = Builders.like(begun).policy(ReclaimPolicy.RETAIN).build();
    assertThat(ContentDecider.holds(kept, Given.volume())).isFalse();
    SnapshotContent done = Builders.like(begun).annotations(Map.of()).build();
    assertThat(ContentDecider.holds(done, Given.volume())).isFalse();
    Volume other = Builders.volume("pv").source(VolumeSource.csi("other", "vol-1")).build();
    assertThat(ContentDecider.holds(begun, other)).isFalse();
    Volume nfs = Builders.volume("pv").source(VolumeSource.nfs("server", "/")).build();
    assertThat(ContentDecider.holds(begun, nfs)).isFalse();
  }

  @Test
  void soDoesWhatItMayBeAtForAGroup() {
    GroupSnapshotContent begun =
        Builders.groupSnapshotContent("groupsnapcontent-1")
            .driver(DRIVER)
            .policy(ReclaimPolicy.DELETE)
            .source(
                new GroupSnapshotContent.Source(
                    List.of("another", ofVolume().volumeHandle()), "", List.of()))
            .annotation(GroupSnapshotContent.BEING_CREATED, "yes")
            .build();
    assertThat(ContentDecider.holds(begun, Given.volume())).isTrue();
    GroupSnapshotContent kept = Builders.like(begun).policy(ReclaimPolicy.RETAIN).build();
    assertThat(ContentDecider.holds(kept, Given.volume())).isFalse();
    GroupSnapshotContent done = Builders.like(begun).annotations(Map.of()).build();
    assertThat(ContentDecider.holds(done, Given.volume())).isFalse();
  }
}
