package dev.mooring.snapshots.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.GroupDeletionDecider.GroupDeletionFacts;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GroupDeletionDeciderTest {
  private static final ObjectKey KEY = new ObjectKey("default", "g");

  private static GroupSnapshot group(boolean isHeld) {
    List<String> finalizers = isHeld ? List.of("f", GroupSnapshot.BOUND_PROTECTION) : List.of("f");
    return new GroupSnapshot(
        SnapshotObjects.meta(KEY, SnapshotObjects.UID, true, finalizers),
        Optional.of(new LabelSelector(Map.of(), List.of())),
        "",
        "",
        GroupSnapshot.Status.NONE);
  }

  private static GroupSnapshotContent content(Uid uid, ReclaimPolicy policy, boolean... marked) {
    Meta meta =
        TestObjects.metaOf(ObjectKey.cluster("gc"))
            .uid("gc")
            .deleted(marked.length > 1 ? 3 : 0)
            .annotations(
                marked.length > 0 ? Map.of(GroupSnapshotContent.BEING_DELETED, "yes") : Map.of())
            .meta();
    return new GroupSnapshotContent(
        meta,
        new SnapshotContent.Ref(KEY, uid),
        policy,
        SnapshotObjects.DRIVER,
        "",
        new GroupSnapshotContent.Source(List.of("vol-1"), "", List.of()),
        GroupSnapshotContent.Status.NONE);
  }

  private static VolumeSnapshot member(boolean deleted, String... finalizers) {
    return TestObjects.volumeSnapshot(
            SnapshotObjects.meta(
                new ObjectKey("default", "m"), Uid.of("m"), deleted, List.of(finalizers)))
        .sourceClaim("a")
        .build();
  }

  private static GroupStep decide(GroupSnapshotContent content, VolumeSnapshot... members) {
    return GroupDeletionDecider.decide(
        group(true),
        List.of(members),
        new GroupDeletionFacts(Optional.ofNullable(content), Optional.empty()));
  }

  @Test
  void decide_noFinalizerOfOurs_isNoAction() {
    assertThat(
            GroupDeletionDecider.decide(
                group(false),
                List.of(member(false)),
                new GroupDeletionFacts(
                    Optional.of(content(SnapshotObjects.UID, ReclaimPolicy.DELETE)),
                    Optional.empty())))
        .isEqualTo(CommonStep.NO_ACTION);
  }

  @Test
  void decide_policyDelete_deletesMembersThenContentThenGroup() {
    VolumeSnapshot existingMember = member(false);
    assertThat(decide(content(SnapshotObjects.UID, ReclaimPolicy.DELETE), existingMember))
        .isEqualTo(new GroupStep.DeleteMember(existingMember));
    GroupSnapshotContent unmarked = content(SnapshotObjects.UID, ReclaimPolicy.DELETE);
    assertThat(decide(unmarked, member(true))).isEqualTo(new CommonStep.MarkContent(unmarked));
    GroupSnapshotContent marked = content(SnapshotObjects.UID, ReclaimPolicy.DELETE, true);
    assertThat(decide(marked, member(true))).isEqualTo(new CommonStep.DeleteContent(marked));
    assertThat(decide(content(SnapshotObjects.UID, ReclaimPolicy.DELETE, true, true), member(true)))
        .isEqualTo(CommonStep.NO_ACTION);
    assertThat(decide(null, member(true))).isEqualTo(new CommonStep.SetFinalizers(List.of("f")));
  }

  @Test
  void decide_policyRetain_keepsContent() {
    GroupSnapshotContent unmarked = content(SnapshotObjects.UID, ReclaimPolicy.RETAIN);
    assertThat(decide(unmarked)).isEqualTo(new CommonStep.MarkContent(unmarked));
    for (ReclaimPolicy policy : List.of(ReclaimPolicy.RETAIN, ReclaimPolicy.UNKNOWN)) {
      assertThat(decide(content(SnapshotObjects.UID, policy, true)))
          .isEqualTo(new CommonStep.SetFinalizers(List.of("f")));
    }
  }

  @Test
  void decide_contentOfAnotherGroup_isKept() {
    assertThat(decide(content(Uid.of("x"), ReclaimPolicy.DELETE)))
        .isEqualTo(new CommonStep.SetFinalizers(List.of("f")));
  }

  @Test
  void decide_restorePending_waits() {
    assertThat(
            decide(
                content(SnapshotObjects.UID, ReclaimPolicy.DELETE),
                member(false, VolumeSnapshot.RESTORE_PROTECTION)))
        .isInstanceOf(CommonStep.Wait.class);
    VolumeSnapshot existingMember = member(false);
    GroupDeletionFacts restored =
        new GroupDeletionFacts(
            Optional.of(content(SnapshotObjects.UID, ReclaimPolicy.DELETE)),
            Optional.of(existingMember));
    assertThat(GroupDeletionDecider.decide(group(true), List.of(existingMember), restored))
        .isInstanceOf(CommonStep.Wait.class);
    VolumeSnapshot deletedMember =
        member(true); // a claim cannot start a restore from a deleted member
    GroupDeletionFacts lateFacts =
        new GroupDeletionFacts(restored.content(), Optional.of(deletedMember));
    assertThat(GroupDeletionDecider.decide(group(true), List.of(deletedMember), lateFacts))
        .isInstanceOf(CommonStep.MarkContent.class);
  }

  @Test
  void decide_contentNotInStatus_marksContentAndKeepsIt() {
    GroupSnapshot group =
        new GroupSnapshot(
            SnapshotObjects.meta(
                KEY, SnapshotObjects.UID, true, List.of(GroupSnapshot.BOUND_PROTECTION)),
            Optional.empty(),
            "gc",
            "",
            GroupSnapshot.Status.NONE);
    assertThat(GroupDeletionDecider.contentName(group)).isEqualTo("gc");
    GroupSnapshotContent content = content(SnapshotObjects.UID, ReclaimPolicy.DELETE);
    assertThat(decide(group, content)).isEqualTo(new CommonStep.MarkContent(content));
    assertThat(decide(group, content(SnapshotObjects.UID, ReclaimPolicy.DELETE, true)))
        .isEqualTo(new CommonStep.SetFinalizers(List.of()));
  }

  private static GroupStep decide(GroupSnapshot group, GroupSnapshotContent content) {
    return GroupDeletionDecider.decide(
        group, List.of(), new GroupDeletionFacts(Optional.of(content), Optional.empty()));
  }

  @Test
  void contentName_emptyStatus_dependsOnGroup() {
    assertThat(GroupDeletionDecider.contentName(group(true)))
        .isEqualTo("groupsnapcontent-" + SnapshotObjects.UID);
  }
}
