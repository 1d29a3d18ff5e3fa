package dev.mooring.snapshots.decide;

import static dev.mooring.snapshots.decide.SnapshotObjects.DRIVER;
import static dev.mooring.snapshots.decide.SnapshotObjects.OWN;
import static dev.mooring.snapshots.decide.SnapshotObjects.UID;
import static dev.mooring.snapshots.decide.SnapshotObjects.content;
import static dev.mooring.snapshots.decide.SnapshotObjects.ofSnapshot;
import static dev.mooring.snapshots.decide.SnapshotObjects.ofVolume;
import static dev.mooring.snapshots.decide.SnapshotObjects.snapshot;
import static dev.mooring.snapshots.decide.SnapshotObjects.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContentDeciderTest {
  private static SnapshotContent of(Uid uid, SnapshotContent.Source source) {
    return content(OWN, uid, source, SnapshotContent.Status.NONE);
  }

  @Test
  void needsFinalizer_boundContent_isTrue() {
    assertThat(ContentDecider.needsFinalizer(of(UID, ofVolume()))).isTrue();
    assertThat(ContentDecider.needsFinalizer(of(UID, ofSnapshot()))).isTrue();
    assertThat(ContentDecider.needsFinalizer(of(Uid.NONE, ofSnapshot()))).isFalse();
    SnapshotContent content = of(UID, ofVolume());
    assertThat(
            ContentDecider.needsFinalizer(
                TestObjects.like(content).finalizers(SnapshotContent.BOUND_PROTECTION).build()))
        .isFalse();
    assertThat(ContentDecider.needsFinalizer(TestObjects.like(content).deleting().build()))
        .isFalse();
  }

  @Test
  void findFlaw_notOneSource_isReported() {
    assertThat(ContentDecider.findFlaw(of(UID, ofVolume()))).isEmpty();
    assertThat(ContentDecider.findFlaw(of(UID, ofSnapshot()))).isEmpty();
    assertThat(ContentDecider.findFlaw(of(UID, new SnapshotContent.Source("", "")))).isNotEmpty();
    assertThat(ContentDecider.findFlaw(of(UID, new SnapshotContent.Source("v", "s")))).isNotEmpty();
    assertThat(ContentDecider.needsFinalizer(of(UID, new SnapshotContent.Source("", ""))))
        .isFalse();
  }

  @Test
  void needsItsClaim_snapshotNotReady_isTrue() {
    assertThat(ContentDecider.needsItsClaim(snapshot("a", "", ""))).isTrue();
    assertThat(ContentDecider.needsItsClaim(snapshot("", "c", ""))).isFalse();
    assertThat(
            ContentDecider.needsItsClaim(
                TestObjects.like(snapshot("a", "", "")).status(status(OWN, true, 5)).build()))
        .isFalse();
  }

  /** Otherwise a claim would stay for a deleted member, which its group keeps. */
  @Test
  void needsItsClaim_deletedMember_isFalse() {
    VolumeSnapshot member = snapshot("a", "", "");
    assertThat(
            ContentDecider.needsItsClaim(
                TestObjects.like(member)
                    .deleting()
                    .finalizers(VolumeSnapshot.GROUP_PROTECTION)
                    .build()))
        .isFalse();
  }

  @Test
  void needsVolume_contentBeingCreated_isTrue() {
    SnapshotContent creating =
        TestObjects.snapshotContent(OWN)
            .driver(DRIVER)
            .policy(ReclaimPolicy.DELETE)
            .source(ofVolume())
            .annotation(SnapshotContent.BEING_CREATED, "yes")
            .build();
    assertThat(ContentDecider.needsVolume(creating, SnapshotObjects.volume())).isTrue();
    SnapshotContent retainedContent =
        TestObjects.like(creating).policy(ReclaimPolicy.RETAIN).build();
    assertThat(ContentDecider.needsVolume(retainedContent, SnapshotObjects.volume())).isFalse();
    SnapshotContent createdContent = TestObjects.like(creating).annotations(Map.of()).build();
    assertThat(ContentDecider.needsVolume(createdContent, SnapshotObjects.volume())).isFalse();
    Volume otherVolume =
        TestObjects.volume("pv").source(VolumeSource.csi("other", "vol-1")).build();
    assertThat(ContentDecider.needsVolume(creating, otherVolume)).isFalse();
    Volume nfs = TestObjects.volume("pv").source(VolumeSource.nfs("server", "/")).build();
    assertThat(ContentDecider.needsVolume(creating, nfs)).isFalse();
  }

  @Test
  void needsVolume_groupContentBeingCreated_isTrue() {
    GroupSnapshotContent creating =
        TestObjects.groupSnapshotContent("groupsnapcontent-1")
            .driver(DRIVER)
            .policy(ReclaimPolicy.DELETE)
            .source(
                new GroupSnapshotContent.Source(
                    List.of("another", ofVolume().volumeHandle()), "", List.of()))
            .annotation(GroupSnapshotContent.BEING_CREATED, "yes")
            .build();
    assertThat(ContentDecider.needsVolume(creating, SnapshotObjects.volume())).isTrue();
    GroupSnapshotContent retainedContent =
        TestObjects.like(creating).policy(ReclaimPolicy.RETAIN).build();
    assertThat(ContentDecider.needsVolume(retainedContent, SnapshotObjects.volume())).isFalse();
    GroupSnapshotContent createdContent = TestObjects.like(creating).annotations(Map.of()).build();
    assertThat(ContentDecider.needsVolume(createdContent, SnapshotObjects.volume())).isFalse();
  }
}
