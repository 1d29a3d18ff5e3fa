package dev.mooring.snapshots.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GroupDeciderTest {
  private static final ObjectKey KEY = new ObjectKey("default", "g");
  private static final String OWN = "groupsnapcontent-" + SnapshotObjects.UID;
  private static final String MEMBER =
      GroupSnapshotContent.nameOfMember(SnapshotObjects.UID, "vol-1");
  private static final Optional<LabelSelector> SELECTOR =
      Optional.of(new LabelSelector(Map.of("app", "db"), List.of()));
  private static final Member INFO = new Member("vol-1", "snap-1", 7, true, 1024);

  private static GroupSnapshot group(
      String className, boolean isHeld, GroupSnapshot.Status status) {
    List<String> finalizers = isHeld ? List.of(GroupSnapshot.BOUND_PROTECTION) : List.of();
    return new GroupSnapshot(
        SnapshotObjects.meta(KEY, SnapshotObjects.UID, false, finalizers),
        SELECTOR,
        "",
        className,
        status);
  }

  private static GroupSnapshot newGroup(boolean isHeld) {
    return group("goes", isHeld, GroupSnapshot.Status.NONE);
  }

  private static GroupSnapshot groupNaming(String content, boolean isHeld) {
    GroupSnapshot like = newGroup(isHeld);
    return new GroupSnapshot(like.meta(), Optional.empty(), content, "", like.status());
  }

  private static GroupSnapshotContent content(
      String name, Uid uid, boolean isPreProvisioned, GroupSnapshotContent.Status status) {
    return new GroupSnapshotContent(
        SnapshotObjects.meta(ObjectKey.cluster(name), Uid.of("gc"), false, List.of()),
        new SnapshotContent.Ref(KEY, uid),
        ReclaimPolicy.DELETE,
        SnapshotObjects.DRIVER,
        "goes",
        isPreProvisioned
            ? new GroupSnapshotContent.Source(List.of(), "group-1", List.of("snap-1"))
            : new GroupSnapshotContent.Source(List.of("vol-1"), "", List.of()),
        status);
  }

  private static GroupSnapshotContent.Status takenStatus(boolean isReady) {
    return new GroupSnapshotContent.Status("group-1", 5, isReady, Problem.NONE, List.of(INFO));
  }

  private static GroupSnapshotContent ownContent(GroupSnapshotContent.Status status) {
    return content(OWN, SnapshotObjects.UID, false, status);
  }

  private static GroupSnapshotClass groupClass(
      String name, String driver, boolean byDefault, Map<String, String> parameters) {
    return new GroupSnapshotClass(
        TestObjects.metaOf(ObjectKey.cluster(name))
            .uid(name)
            .annotations(Map.of(GroupSnapshotClass.DEFAULT, Boolean.toString(byDefault)))
            .meta(),
        driver,
        parameters,
        ReclaimPolicy.DELETE);
  }

  private static final List<GroupSnapshotClass> CLASSES =
      List.of(groupClass("goes", SnapshotObjects.DRIVER, false, Map.of()));

  private static GroupView view(
      GroupSnapshot group, GroupSnapshotContent content, GroupMember... members) {
    return new GroupView(
        group,
        Optional.ofNullable(content),
        CLASSES,
        List.of(members),
        List.of(),
        Optional.empty());
  }

  private static SourceClaim source(Claim claim, Volume volume) {
    return new SourceClaim(claim.key().name(), Optional.of(claim), Optional.of(volume));
  }

  private static GroupMember member(VolumeSnapshot snapshot, SnapshotContent content) {
    return new GroupMember(
        INFO,
        MEMBER,
        Optional.ofNullable(snapshot),
        Optional.ofNullable(content),
        Optional.of(SnapshotObjects.volume()));
  }

  private static VolumeSnapshot memberSnapshot(VolumeSnapshot.Status status) {
    return TestObjects.volumeSnapshot(
            SnapshotObjects.meta(
                new ObjectKey("default", MEMBER),
                Uid.of("m"),
                false,
                List.of(VolumeSnapshot.GROUP_PROTECTION)))
        .sourceClaim("a")
        .status(status)
        .build();
  }

  private static SnapshotContent memberContent(String group, boolean isReady) {
    return TestObjects.snapshotContent(
            SnapshotObjects.meta(
                ObjectKey.cluster(GroupMember.contentName(MEMBER)), Uid.of("mc"), false, List.of()))
        .snapshot(new SnapshotContent.Ref(new ObjectKey("default", MEMBER), Uid.of("m")))
        .driver(SnapshotObjects.DRIVER)
        .source(SnapshotObjects.ofVolume())
        .status(
            new SnapshotContent.Status(
                group.isEmpty() ? "" : "snap-1", 0, 0, isReady, Problem.NONE, group))
        .build();
  }

  private static String reason(GroupView view) {
    return GroupDecider.decide(view) instanceof CommonStep.ReportError report
        ? report.reason()
        : "";
  }

  private static String message(GroupView view) {
    return GroupDecider.decide(view) instanceof CommonStep.ReportError report
        ? report.message()
        : "";
  }

  @Test
  void decide_notOneSource_isInvalid() {
    GroupSnapshot groupWithBothSources =
        new GroupSnapshot(newGroup(true).meta(), SELECTOR, "c", "", GroupSnapshot.Status.NONE);
    assertThat(reason(view(groupWithBothSources, null))).isEqualTo("GroupSnapshotValidationError");
    assertThat(reason(view(groupNaming("", true), null))).isEqualTo("GroupSnapshotValidationError");
  }

  @Test
  void decide_noContent_readsClaims() {
    assertThat(GroupDecider.decide(view(newGroup(false), null)))
        .isEqualTo(new GroupStep.ReadClaims());
    assertThat(
            GroupDecider.decide(view(newGroup(true), ownContent(GroupSnapshotContent.Status.NONE))))
        .isInstanceOf(GroupStep.WriteStatus.class);
  }

  @Test
  void decide_newGroup_holdsClaimsThenGroupThenCreatesContent() {
    Claim free = SnapshotObjects.claim(ClaimPhase.BOUND, false, List.of());
    GroupView view = view(newGroup(false), null);
    assertThat(
            GroupDecider.decide(view.withClaims(List.of(source(free, SnapshotObjects.volume())))))
        .isEqualTo(new CommonStep.HoldClaim(free));
    List<SourceClaim> heldClaims =
        List.of(source(SnapshotObjects.heldClaim(), SnapshotObjects.volume()));
    assertThat(GroupDecider.decide(view.withClaims(heldClaims)))
        .isEqualTo(new CommonStep.SetFinalizers(List.of(GroupSnapshot.BOUND_PROTECTION)));
    GroupStep created = GroupDecider.decide(view(newGroup(true), null).withClaims(heldClaims));
    assertThat(created).isInstanceOf(GroupStep.CreateContent.class);
    assertThat(((GroupStep.CreateContent) created).name()).isEqualTo(OWN);
    assertThat(((GroupStep.CreateContent) created).handles()).containsExactly("vol-1");
  }

  @Test
  void decide_claimReleased_isHeldAgainUntilReady() {
    Claim free = SnapshotObjects.claim(ClaimPhase.BOUND, false, List.of());
    for (boolean isReady : List.of(false, true)) {
      GroupView view =
          new GroupView(
              newGroup(true),
              Optional.of(ownContent(takenStatus(isReady))),
              CLASSES,
              List.of(),
              List.of(free),
              Optional.empty());
      assertThat(GroupDecider.decide(view) instanceof CommonStep.HoldClaim).isEqualTo(!isReady);
    }
  }

  @Test
  void decide_unsuitableClaims_reportsReason() {
    GroupView view = view(newGroup(true), null);
    assertThat(message(view.withClaims(List.of())))
        .contains("app=db")
        .contains("not applied to any PVC");
    Claim pending = SnapshotObjects.claim(ClaimPhase.PENDING, false, List.of());
    assertThat(message(view.withClaims(List.of(source(pending, SnapshotObjects.volume())))))
        .contains("not yet bound");
    // a holder for another purpose would release it without regard for this group
    for (List<String> finalizers :
        List.of(List.<String>of(), List.of(VolumeSnapshot.CLAIM_PROTECTION))) {
      Claim deleted = SnapshotObjects.claim(ClaimPhase.BOUND, true, finalizers);
      assertThat(message(view.withClaims(List.of(source(deleted, SnapshotObjects.volume())))))
          .contains("is being deleted");
    }
    assertThat(
            message(
                view.withClaims(
                    List.of(
                        source(
                            SnapshotObjects.heldClaim(),
                            SnapshotObjects.volume(VolumeSource.csi("other", "v"), Uid.of("a")))))))
        .contains("mismatch with VolumeGroupSnapshotClass");
    assertThat(
            message(
                view.withClaims(
                    List.of(
                        source(
                            SnapshotObjects.heldClaim(),
                            SnapshotObjects.volume(VolumeSource.hostPath("/x"), Uid.of("a")))))))
        .contains("non-CSI volume");
    assertThat(
            message(
                view.withClaims(
                    List.of(
                        source(
                            SnapshotObjects.heldClaim(),
                            SnapshotObjects.volume(
                                VolumeSource.csi(SnapshotObjects.DRIVER, "v"), Uid.of("z")))))))
        .contains("not bound or invalid");
    assertThat(
            reason(
                view(group("none", true, GroupSnapshot.Status.NONE), null).withClaims(List.of())))
        .isEqualTo("GetGroupSnapshotClassFailed");
  }

  @Test
  void decide_noClass_takesOnlyDefaultOfDriver() {
    GroupSnapshot classless = group("", true, GroupSnapshot.Status.NONE);
    List<SourceClaim> heldClaims =
        List.of(source(SnapshotObjects.heldClaim(), SnapshotObjects.volume()));
    GroupSnapshotClass otherClass = groupClass("other", "other", true, Map.of());
    GroupSnapshotClass ownClass = groupClass("usual", SnapshotObjects.DRIVER, true, Map.of());
    GroupSnapshotClass second = groupClass("second", SnapshotObjects.DRIVER, true, Map.of());
    for (var row :
        Map.of(
                List.of(otherClass), "SetDefaultGroupSnapshotClassFailed",
                List.of(otherClass, ownClass), "usual",
                List.of(ownClass, second), "SetDefaultGroupSnapshotClassFailed")
            .entrySet()) {
      GroupView view =
          new GroupView(
              classless,
              Optional.empty(),
              row.getKey(),
              List.of(),
              List.of(),
              Optional.of(heldClaims));
      String result =
          GroupDecider.decide(view) instanceof CommonStep.SetClass(String name)
              ? name
              : reason(view);
      assertThat(result).isEqualTo(row.getValue());
    }
  }

  @Test
  void decide_secretTemplate_usesNamesOfGroup() {
    GroupSnapshotClass secret =
        groupClass(
            "goes",
            SnapshotObjects.DRIVER,
            false,
            Map.of(
                "csi.storage.k8s.io/group-snapshotter-secret-name",
                "of-${volumegroupsnapshot.name}",
                "csi.storage.k8s.io/group-snapshotter-secret-namespace",
                "${volumegroupsnapshot.namespace}"));
    GroupView view =
        new GroupView(
            newGroup(true),
            Optional.empty(),
            List.of(secret),
            List.of(),
            List.of(),
            Optional.of(List.of(source(SnapshotObjects.heldClaim(), SnapshotObjects.volume()))));
    GroupStep.CreateContent created = (GroupStep.CreateContent) GroupDecider.decide(view);
    assertThat(created.secret().name()).isEqualTo("of-g");
    assertThat(created.secret().namespace()).isEqualTo("default");
  }

  @Test
  void decide_members_createsObjectsInOrder() {
    GroupSnapshotContent content = ownContent(takenStatus(false));
    GroupSnapshot group = newGroup(true);
    assertThat(GroupDecider.decide(view(group, content, member(null, null))))
        .isEqualTo(new GroupStep.CreateMember(MEMBER, "a"));
    VolumeSnapshot snapshot = memberSnapshot(VolumeSnapshot.Status.NONE);
    assertThat(GroupDecider.decide(view(group, content, member(snapshot, null))))
        .isInstanceOf(GroupStep.CreateMemberContent.class);
    SnapshotContent unreported = memberContent("", false);
    assertThat(GroupDecider.decide(view(group, content, member(snapshot, unreported))))
        .isInstanceOf(GroupStep.WriteMemberContent.class);
    SnapshotContent namedContent = memberContent("group-1", true);
    assertThat(GroupDecider.decide(view(group, content, member(snapshot, namedContent))))
        .isEqualTo(new GroupStep.BindMember(snapshot, namedContent.meta().name()));
    VolumeSnapshot bound =
        memberSnapshot(
            new VolumeSnapshot.Status(
                namedContent.meta().name(), false, 0, Optional.empty(), Problem.NONE, "g"));
    assertThat(GroupDecider.decide(view(group, content, member(bound, namedContent))))
        .isEqualTo(
            new GroupStep.WriteStatus(
                new GroupSnapshot.Status(OWN, false, 5, Problem.NONE), true, false));
  }

  @Test
  void decide_readyGroupWithoutMember_isNoAction() {
    GroupSnapshot readyGroup =
        group("goes", true, new GroupSnapshot.Status(OWN, true, 5, Problem.NONE));
    assertThat(
            GroupDecider.decide(
                view(readyGroup, ownContent(takenStatus(true)), member(null, null))))
        .isEqualTo(CommonStep.NO_ACTION);
  }

  @Test
  void decide_unrelatedSnapshotOfMembersName_isIgnored() {
    VolumeSnapshot unrelated =
        TestObjects.volumeSnapshot(
                SnapshotObjects.meta(
                    new ObjectKey("default", MEMBER), Uid.of("m"), false, List.of()))
            .sourceClaim("a")
            .build();
    assertThat(
            GroupDecider.decide(
                view(newGroup(true), ownContent(takenStatus(true)), member(unrelated, null))))
        .isInstanceOf(GroupStep.WriteStatus.class);
  }

  @Test
  void decide_contentOfAnotherGroup_reportsReason() {
    GroupSnapshotContent.Status none = GroupSnapshotContent.Status.NONE;
    assertThat(reason(view(newGroup(true), content(OWN, Uid.of("x"), false, none))))
        .isEqualTo("GroupSnapshotContentMisbound");
    assertThat(reason(view(newGroup(true), content(OWN, SnapshotObjects.UID, true, none))))
        .isEqualTo("GroupSnapshotContentMismatch");
    assertThat(reason(view(groupNaming("c", true), content("c", Uid.of("x"), true, none))))
        .isEqualTo("GroupSnapshotContentMisbound");
    assertThat(reason(view(groupNaming("c", true), content("c", Uid.NONE, false, none))))
        .isEqualTo("GroupSnapshotContentMismatch");
    assertThat(reason(view(groupNaming("c", true), null))).isEqualTo("GroupSnapshotContentMissing");
    GroupSnapshot created =
        group("goes", true, new GroupSnapshot.Status("", false, 5, Problem.NONE));
    assertThat(reason(view(created, null))).isEqualTo("GroupSnapshotContentMissing");
  }

  @Test
  void decide_unboundContent_isBoundThenHeld() {
    GroupSnapshotContent free = content("c", Uid.NONE, true, GroupSnapshotContent.Status.NONE);
    assertThat(GroupDecider.decide(view(groupNaming("c", false), free)))
        .isEqualTo(new CommonStep.Bind(free, ""));
    GroupSnapshotContent bound =
        content("c", SnapshotObjects.UID, true, GroupSnapshotContent.Status.NONE);
    assertThat(GroupDecider.decide(view(groupNaming("c", false), bound)))
        .isEqualTo(new CommonStep.SetFinalizers(List.of(GroupSnapshot.BOUND_PROTECTION)));
  }

  /** An earlier group left the annotation, and it allows the driver to delete the snapshots. */
  @Test
  void decide_contentMarkedForEarlierGroup_unmarks() {
    GroupSnapshotContent marked =
        TestObjects.like(ownContent(takenStatus(true)))
            .annotation(GroupSnapshotContent.BEING_DELETED, "yes")
            .build();
    assertThat(GroupDecider.decide(view(newGroup(true), marked)))
        .isEqualTo(new CommonStep.UnmarkContent(marked));
  }

  @Test
  void decide_contentBeingDeleted_bindsNothing() {
    GroupSnapshotContent deleted =
        TestObjects.like(content("c", Uid.NONE, true, GroupSnapshotContent.Status.NONE))
            .deleted(2)
            .build();
    assertThat(reason(view(groupNaming("c", true), deleted)))
        .isEqualTo("GroupSnapshotContentMisbound");
  }

  /** Another program may keep a group that was never ready. */
  @Test
  void needsItsClaims_deletedAndReleased_isFalse() {
    GroupSnapshot held = newGroup(true);
    GroupSnapshot deleted = TestObjects.like(held).deleting().build();
    GroupSnapshot released = TestObjects.like(deleted).finalizers("example.com/backup").build();
    assertThat(GroupDecider.needsItsClaims(held)).isTrue();
    assertThat(GroupDecider.needsItsClaims(deleted)).isTrue();
    assertThat(GroupDecider.needsItsClaims(released)).isFalse();
  }
}
