package dev.mooring.snapshots.execute;

import static dev.mooring.snapshots.execute.CommonWriter.STATUS;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.reconcile.Outcome;
import dev.mooring.snapshots.decide.CommonStep;
import dev.mooring.snapshots.decide.GroupDecider;
import dev.mooring.snapshots.decide.GroupMember;
import dev.mooring.snapshots.decide.GroupStep;
import dev.mooring.snapshots.decide.SnapshotTerms;
import dev.mooring.time.Time;

/**
 * Executes the steps of group snapshots. Each step is one write; its watch event requeues the
 * group. Thread-safe.
 */
public final class GroupWriter {
  private final ClusterWriter writer;
  private final CommonWriter<GroupSnapshot, GroupSnapshotContent> common;

  public GroupWriter(ClusterWriter writer, EventSink events, Time time) {
    this.writer = writer;
    this.common =
        new CommonWriter<>(
            new CommonWriter.ContentForm<>(
                SnapshotTerms.GROUP,
                "group",
                Kind.GROUP_SNAPSHOT,
                Kind.GROUP_SNAPSHOT_CONTENT,
                GroupSnapshotContent.BOUND_PROTECTION,
                GroupSnapshotContent.BEING_DELETED),
            writer,
            events,
            time);
  }

  public Outcome apply(GroupSnapshot group, GroupStep step) throws InterruptedException {
    return switch (step) {
      case CommonStep shared ->
          common.apply(group, group.status().ready(), group.status().problem(), shared);
      case GroupStep.ReadClaims() -> throw new IllegalStateException("the claims are not read yet");
      case GroupStep.CreateContent create ->
          common.create(
              group,
              group.status().problem(),
              create.name(),
              GroupDocuments.buildContent(group, create));
      case GroupStep.WriteStatus(
              GroupSnapshot.Status newStatus,
              boolean becomesCreated,
              boolean becomesReady) ->
          common.writeStatus(
              group,
              common.buildStatus(
                  group,
                  newStatus.content(),
                  newStatus.ready(),
                  newStatus.created(),
                  newStatus.problem()),
              becomesCreated,
              becomesReady);
      case GroupStep.DeleteMember(VolumeSnapshot member) -> deleteMember(group, member);
      case GroupStep.CreateMember _,
          GroupStep.CreateMemberContent _,
          GroupStep.WriteMemberContent _,
          GroupStep.BindMember _ ->
          applyMemberStep(group, step);
    };
  }

  private Outcome applyMemberStep(GroupSnapshot group, GroupStep step) throws InterruptedException {
    return switch (step) {
      case GroupStep.CreateMember create -> {
        ObjectKey key = new ObjectKey(group.key().namespace(), create.name());
        yield Outcome.ofWrite(
            "creating snapshot " + key,
            writer.create(Kind.SNAPSHOT, key, GroupDocuments.buildMember(group, create)));
      }
      case GroupStep.CreateMemberContent create -> {
        ObjectKey key = ObjectKey.cluster(GroupMember.contentName(create.member().name()));
        yield Outcome.ofWrite(
            "creating content " + key,
            writer.create(Kind.SNAPSHOT_CONTENT, key, GroupDocuments.buildMemberContent(create)));
      }
      case GroupStep.WriteMemberContent write -> {
        SnapshotContent content = write.memberContent();
        yield Outcome.ofWrite(
            "status of content " + content.key(),
            writer.patchStatus(
                Kind.SNAPSHOT_CONTENT, content.key(), GroupDocuments.buildMemberStatus(write)));
      }
      case GroupStep.BindMember(VolumeSnapshot snapshot, String content) ->
          Outcome.ofWrite(
              "status of snapshot " + snapshot.key(),
              writer.patchStatus(
                  Kind.SNAPSHOT,
                  snapshot.key(),
                  Document.patchOf(snapshot.meta())
                      .set(content, STATUS, "boundVolumeSnapshotContentName")
                      .set(group.key().name(), STATUS, "volumeGroupSnapshotName")));
      default -> throw new IllegalStateException("not a step of a member: " + step);
    };
  }

  public Outcome reconcileContent(GroupSnapshotContent content) throws InterruptedException {
    return common.reconcileContent(
        content, GroupDecider.findFlaw(content), GroupDecider.needsFinalizer(content));
  }

  private Outcome deleteMember(GroupSnapshot group, VolumeSnapshot member)
      throws InterruptedException {
    WriteResult<VolumeSnapshot> result =
        writer.delete(Kind.SNAPSHOT, member.key(), member.meta().uid());
    if (CommonWriter.isRefused(result)) {
      common.emit(
          group,
          ClusterEvent.Type.WARNING,
          "SnapshotDeleteError",
          "failed to delete snapshot API object %s part of group snapshot %s"
              .formatted(member.key(), group.key()));
    }
    return Outcome.ofWrite("deleting snapshot " + member.key(), result);
  }
}
