package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.List;
import java.util.Optional;

/** Decides the next step for a group snapshot that is not being deleted. */
public final class GroupDecider {
  private GroupDecider() {}

  public static GroupStep decide(GroupView view) {
    GroupSnapshot group = view.group();
    if (group.selector().isEmpty() == group.sourceContent().isEmpty()) {
      return new CommonStep.ReportError(
          "GroupSnapshotValidationError",
          "Exactly one of Selector and VolumeGroupSnapshotContentName should be specified",
          true);
    }
    Optional<GroupSnapshotContent> ownContent =
        view.content().filter(content -> content.belongsTo(group));
    if (ownContent
        .filter(content -> content.meta().hasAnnotation(GroupSnapshotContent.BEING_DELETED))
        .isPresent()) {
      return new CommonStep.UnmarkContent(ownContent.get());
    }
    if (ownContent.isPresent() && !isHeld(group)) {
      return holdGroup(group);
    }
    if (!group.status().content().isEmpty() && group.status().ready()) {
      return checkBinding(view);
    }
    return group.sourceContent().isEmpty() ? decideDynamic(view) : decidePreProvisioned(view);
  }

  static boolean isHeld(GroupSnapshot group) {
    return group.meta().finalizers().contains(GroupSnapshot.BOUND_PROTECTION);
  }

  static GroupStep holdGroup(GroupSnapshot group) {
    return new CommonStep.SetFinalizers(
        group.meta().finalizersWith(GroupSnapshot.BOUND_PROTECTION));
  }

  private static GroupStep checkBinding(GroupView view) {
    if (view.content().isEmpty()) {
      return SnapshotTerms.GROUP.missingContentError();
    }
    return view.content().get().belongsTo(view.group())
        ? CommonStep.NO_ACTION
        : SnapshotTerms.GROUP.wrongBindingError();
  }

  private static GroupStep decidePreProvisioned(GroupView view) {
    GroupSnapshot group = view.group();
    if (view.content().isEmpty()) {
      return SnapshotTerms.GROUP.missingContentError();
    }
    GroupSnapshotContent content = view.content().get();
    if (content.source().groupHandle().isEmpty()) {
      return SnapshotTerms.GROUP.dynamicContentError();
    }
    if (!content.mayBelongTo(group)) {
      return SnapshotTerms.GROUP.misboundContentError(content.meta().name());
    }
    if (content.meta().isBeingDeleted() && !content.belongsTo(group)) {
      return SnapshotTerms.GROUP.deletedContentError(content.meta().name());
    }
    boolean setsClass = content.className().isEmpty() && !group.className().isEmpty();
    return content.group().uid().isNone() || setsClass
        ? new CommonStep.Bind(content, setsClass ? group.className() : "")
        : decideStatus(group, content);
  }

  private static GroupStep decideDynamic(GroupView view) {
    GroupSnapshot group = view.group();
    if (view.content().isPresent()) {
      GroupSnapshotContent content = view.content().get();
      if (content.source().volumeHandles().isEmpty()) {
        return SnapshotTerms.GROUP.preProvisionedContentError(content.meta().name());
      }
      return content.belongsTo(group)
          ? completeMembers(view, content)
          : SnapshotTerms.GROUP.misboundContentError(content.meta().name());
    }
    if (group.status().created() != 0) {
      return SnapshotTerms.GROUP
          .missingContentError(); // a new content would contain the volumes' current data
    }
    if (view.claims().isEmpty()) {
      return new GroupStep.ReadClaims();
    }
    return group.className().isEmpty()
        ? GroupSource.chooseDefaultClass(view)
        : findClass(view)
            .map(groupClass -> GroupSource.createContent(view, groupClass))
            .orElseGet(() ->
                new CommonStep.ReportError(
                    "GetGroupSnapshotClassFailed",
                    "failed to get group snapshot class with error volumegroupsnapshotclass.groupsnapshot.storage.k8s.io \""
                        + group.className()
                        + "\" not found",
                    false));
  }

  private static Optional<GroupSnapshotClass> findClass(GroupView view) {
    return view.classes().stream()
        .filter(c -> c.meta().name().equals(view.group().className()))
        .findFirst();
  }

  // Members first, then the group itself.
  private static GroupStep completeMembers(GroupView view, GroupSnapshotContent content) {
    if (!content.status().ready() && !view.unheldClaims().isEmpty()) {
      return new CommonStep.HoldClaim(view.unheldClaims().getFirst());
    }
    if (!content.status().handle().isEmpty()) {
      for (GroupMember member : view.members()) {
        Optional<GroupStep> step = completeMember(view.group(), content, member);
        if (step.isPresent()) {
          return step.get();
        }
      }
    }
    return decideStatus(view.group(), content);
  }

  private static Optional<GroupStep> completeMember(
      GroupSnapshot group, GroupSnapshotContent content, GroupMember member) {
    if (member.snapshot().isEmpty()) {
      return Optional.of(new GroupStep.CreateMember(member.name(), findClaimName(group, member)));
    }
    VolumeSnapshot snapshot = member.snapshot().get();
    if (snapshot.meta().isBeingDeleted() || !snapshot.isGroupMember()) {
      return Optional.empty(); // a snapshot of another owner, or a member that was released
    }
    if (member.content().isEmpty()) {
      boolean isBound = !snapshot.status().content().isEmpty();
      return isBound
          ? Optional.empty()
          : Optional.of(new GroupStep.CreateMemberContent(content, member, snapshot));
    }
    SnapshotContent memberContent = member.content().get();
    if (!memberContent.belongsTo(snapshot)) {
      return Optional.empty();
    }
    boolean isReady = member.info().ready() || content.status().ready();
    if (memberContent.status().group().isEmpty() || isReady && !memberContent.status().ready()) {
      return Optional.of(new GroupStep.WriteMemberContent(content, member, memberContent));
    }
    return snapshot.status().content().isEmpty() || snapshot.status().group().isEmpty()
        ? Optional.of(new GroupStep.BindMember(snapshot, memberContent.meta().name()))
        : Optional.empty();
  }

  private static String findClaimName(GroupSnapshot group, GroupMember member) {
    return member
        .volume()
        .map(volume -> volume.claimRef())
        .filter(ref -> ref.claim().namespace().equals(group.key().namespace()))
        .map(ref -> ref.claim().name())
        .orElse("");
  }

  private static GroupStep decideStatus(GroupSnapshot group, GroupSnapshotContent content) {
    GroupSnapshot.Status oldStatus = group.status();
    GroupSnapshotContent.Status observed = content.status();
    GroupSnapshot.Status newStatus =
        new GroupSnapshot.Status(
            oldStatus.content().isEmpty() ? content.meta().name() : oldStatus.content(),
            observed.ready(),
            oldStatus.created() == 0 ? observed.created() : oldStatus.created(),
            observed.ready() ? Problem.NONE : observed.problem());
    return newStatus.equals(oldStatus)
        ? CommonStep.NO_ACTION
        : new GroupStep.WriteStatus(
            newStatus,
            oldStatus.created() == 0 && newStatus.created() != 0,
            !oldStatus.ready() && newStatus.ready());
  }

  static GroupStep reportFailure(String reason) {
    return new CommonStep.ReportError(
        "GroupSnapshotContentCreationFailed",
        "failed to create group snapshot content with error " + reason,
        true);
  }

  public static boolean needsItsClaims(GroupSnapshot group) {
    boolean hasEnded = // other programs may keep the object
        group.meta().isBeingDeleted() && !isHeld(group);
    return group.selector().isPresent() && !group.status().ready() && !hasEnded;
  }

  public static boolean waitsForClaims(GroupSnapshot group) {
    return needsItsClaims(group)
        && group.status().content().isEmpty()
        && !group.meta().isBeingDeleted();
  }

  // Reports whether the step uses the claims that the selector matched, so that they must be
  // reserved.
  public static boolean needsReservation(GroupStep step) {
    return step instanceof CommonStep.HoldClaim
        || step instanceof CommonStep.SetFinalizers
        || step instanceof GroupStep.CreateContent;
  }

  public static List<Claim> collectClaims(GroupView view) {
    return view.claims().stream()
        .flatMap(List::stream)
        .flatMap(source -> source.claim().stream())
        .toList();
  }

  public static String findFlaw(GroupSnapshotContent content) {
    List<String> volumes = content.source().volumeHandles();
    return volumes.isEmpty() == content.source().groupHandle().isEmpty()
        ? "Exactly one of GroupSnapshotHandles and VolumeHandles should be specified"
        : "";
  }

  public static boolean needsFinalizer(GroupSnapshotContent content) {
    return findFlaw(content).isEmpty()
        && !content.group().uid().isNone()
        && !content.meta().isBeingDeleted()
        && !content.meta().finalizers().contains(GroupSnapshotContent.BOUND_PROTECTION);
  }
}
