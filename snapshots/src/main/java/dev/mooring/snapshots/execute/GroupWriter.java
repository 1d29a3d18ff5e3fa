package dev.mooring.snapshots.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.reconcile.Outcome;
import dev.mooring.snapshots.decide.GroupDecider;
import dev.mooring.snapshots.decide.GroupMember;
import dev.mooring.snapshots.decide.GroupStep;
import dev.mooring.time.Time;
import java.time.Instant;
import java.util.List;

/**
 * Does what was decided about a group: one write each, which brings the group back if there is more
 * to do. Thread-safe.
 */
public final class GroupWriter {
  private static final String REPORTER = "snapshot-controller";
  private static final String METADATA = "metadata";
  private static final String STATUS = "status";
  private static final String SPEC = "spec";
  private static final String FINALIZERS = "finalizers";

  private final ClusterWriter writer;
  private final EventSink events;
  private final Time time;

  /** Writes there. */
  public GroupWriter(ClusterWriter writer, EventSink events, Time time) {
    this.writer = writer;
    this.events = events;
    this.time = time;
  }

  /** Does it. */
  public Outcome apply(GroupSnapshot group, GroupStep step) throws InterruptedException {
    return switch (step) {
      case GroupStep.Rest() -> Outcome.SETTLED;
      case GroupStep.AskForClaims() -> throw new IllegalStateException("not asked");
      case GroupStep.Report report -> report(group, report);
      case GroupStep.SetClass(String name) ->
          patch(
              "giving group " + group.key() + " its class",
              group,
              Document.patchOf(group.meta()).set(name, SPEC, "volumeGroupSnapshotClassName"));
      case GroupStep.SetFinalizers(List<String> finalizers) ->
          patch(
              "finalizers of group " + group.key(),
              group,
              Document.patchOf(group.meta()).set(finalizers, METADATA, FINALIZERS));
      case GroupStep.HoldClaim(Claim claim) -> hold(claim);
      case GroupStep.CreateContent wanted -> create(group, wanted);
      case GroupStep.Bind(GroupSnapshotContent content, String className) ->
          bind(group, content, className);
      case GroupStep.Show show -> show(group, show);
      case GroupStep.MarkContent(GroupSnapshotContent content) -> mark(content);
      case GroupStep.DeleteContent(GroupSnapshotContent content) -> delete(group, content);
      case GroupStep.DeleteMember(VolumeSnapshot member) -> delete(group, member);
      case GroupStep.Wait(String reason, String message) -> {
        tell(group, ClusterEvent.Type.WARNING, reason, message);
        yield Outcome.SETTLED;
      }
      case GroupStep.CreateMember _,
          GroupStep.CreateMemberContent _,
          GroupStep.ShowMemberContent _,
          GroupStep.BindMember _ ->
          member(group, step);
    };
  }

  private Outcome mark(GroupSnapshotContent content) throws InterruptedException {
    return Outcome.after(
        "marking content " + content.key(),
        writer.patch(
            Kind.GROUP_SNAPSHOT_CONTENT,
            content.key(),
            Document.patchOf(content.meta())
                .set("yes", METADATA, "annotations", GroupSnapshotContent.BEING_DELETED)));
  }

  private Outcome member(GroupSnapshot group, GroupStep step) throws InterruptedException {
    return switch (step) {
      case GroupStep.CreateMember wanted -> {
        ObjectKey key = new ObjectKey(group.key().namespace(), wanted.name());
        yield Outcome.after(
            "making snapshot " + key,
            writer.create(Kind.SNAPSHOT, key, GroupDocuments.member(group, wanted)));
      }
      case GroupStep.CreateMemberContent wanted -> {
        ObjectKey key = ObjectKey.cluster(GroupMember.contentOf(wanted.member().name()));
        yield Outcome.after(
            "making content " + key,
            writer.create(Kind.SNAPSHOT_CONTENT, key, GroupDocuments.memberContent(wanted)));
      }
      case GroupStep.ShowMemberContent wanted -> {
        SnapshotContent content = wanted.memberContent();
        yield Outcome.after(
            "status of content " + content.key(),
            writer.patchStatus(
                Kind.SNAPSHOT_CONTENT, content.key(), GroupDocuments.memberStatus(wanted)));
      }
      case GroupStep.BindMember(VolumeSnapshot snapshot, String content) ->
          Outcome.after(
              "status of snapshot " + snapshot.key(),
              writer.patchStatus(
                  Kind.SNAPSHOT,
                  snapshot.key(),
                  Document.patchOf(snapshot.meta())
                      .set(content, STATUS, "boundVolumeSnapshotContentName")
                      .set(group.key().name(), STATUS, "volumeGroupSnapshotName")));
      default -> throw new IllegalStateException("none of a member: " + step);
    };
  }

  private Outcome patch(String what, GroupSnapshot group, Document patch)
      throws InterruptedException {
    return Outcome.after(what, writer.patch(Kind.GROUP_SNAPSHOT, group.key(), patch));
  }

  private Outcome hold(Claim claim) throws InterruptedException {
    return Outcome.after(
        "finalizers of claim " + claim.key(),
        writer.patch(
            Kind.CLAIM,
            claim.key(),
            Document.patchOf(claim.meta())
                .set(
                    claim.meta().finalizersWith(VolumeSnapshot.CLAIM_PROTECTION),
                    METADATA,
                    FINALIZERS)));
  }

  /** The content is held for its group. */
  public Outcome hold(GroupSnapshotContent content) throws InterruptedException {
    return Outcome.after(
        "holding content " + content.key(),
        writer.patch(
            Kind.GROUP_SNAPSHOT_CONTENT,
            content.key(),
            Document.patchOf(content.meta())
                .set(
                    content.meta().finalizersWith(GroupSnapshotContent.BOUND_PROTECTION),
                    METADATA,
                    FINALIZERS)));
  }

  /** The content cannot be one as it is. */
  public void refuse(GroupSnapshotContent content) {
    events.tell(
        new ClusterEvent(
            Kind.GROUP_SNAPSHOT_CONTENT,
            content.meta(),
            ClusterEvent.Type.WARNING,
            "GroupContentValidationError",
            "GroupContentValidationError",
            GroupDecider.flaw(content),
            REPORTER));
  }

  private Outcome report(GroupSnapshot group, GroupStep.Report report) throws InterruptedException {
    boolean said = group.status().problem().message().equals(report.message());
    if (said && !(report.notReady() && group.status().ready())) {
      return Outcome.SETTLED;
    }
    Problem problem = new Problem(time.now().getEpochSecond(), report.message());
    Document patch =
        Document.patchOf(group.meta()).set(SnapshotWriter.problem(problem), STATUS, "error");
    if (report.notReady()) {
      patch.set(false, STATUS, "readyToUse");
    }
    WriteResult<GroupSnapshot> written =
        writer.patchStatus(Kind.GROUP_SNAPSHOT, group.key(), patch);
    if (written.written().isPresent()) {
      tell(group, ClusterEvent.Type.WARNING, report.reason(), report.message());
    }
    return Outcome.after("status of group " + group.key(), written);
  }

  private Outcome create(GroupSnapshot group, GroupStep.CreateContent wanted)
      throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(wanted.name());
    WriteResult<GroupSnapshotContent> written =
        writer.create(Kind.GROUP_SNAPSHOT_CONTENT, key, GroupDocuments.content(group, wanted));
    if (written.written().isPresent()) {
      tell(
          group,
          ClusterEvent.Type.NORMAL,
          "CreatingGroupSnapshot",
          "Waiting for a group snapshot " + group.key() + " to be created by the CSI driver.");
    }
    return Outcome.after("making content " + key, written);
  }

  private Outcome bind(GroupSnapshot group, GroupSnapshotContent content, String className)
      throws InterruptedException {
    Document patch =
        Document.patchOf(content.meta())
            .set(group.meta().uid().toString(), SPEC, "volumeGroupSnapshotRef", "uid");
    if (!className.isEmpty()) {
      patch.set(className, SPEC, "volumeGroupSnapshotClassName");
    }
    return Outcome.after(
        "binding content " + content.key(),
        writer.patch(Kind.GROUP_SNAPSHOT_CONTENT, content.key(), patch));
  }

  private Outcome show(GroupSnapshot group, GroupStep.Show show) throws InterruptedException {
    GroupSnapshot.Status now = show.now();
    Document patch =
        Document.patchOf(group.meta())
            .set(now.content(), STATUS, "boundVolumeGroupSnapshotContentName")
            .set(now.ready(), STATUS, "readyToUse")
            .set(SnapshotWriter.problem(now.problem()), STATUS, "error");
    if (now.created() != 0) {
      patch.set(Instant.ofEpochSecond(now.created()).toString(), STATUS, "creationTime");
    }
    WriteResult<GroupSnapshot> written =
        writer.patchStatus(Kind.GROUP_SNAPSHOT, group.key(), patch);
    if (written.written().isPresent() && show.created()) {
      tell(
          group,
          ClusterEvent.Type.NORMAL,
          "GroupSnapshotCreated",
          "GroupSnapshot " + group.key() + " was successfully created by the CSI driver.");
    }
    if (written.written().isPresent() && show.ready()) {
      tell(
          group,
          ClusterEvent.Type.NORMAL,
          "GroupSnapshotReady",
          "GroupSnapshot " + group.key() + " is ready to use.");
    }
    return Outcome.after("status of group " + group.key(), written);
  }

  private Outcome delete(GroupSnapshot group, GroupSnapshotContent content)
      throws InterruptedException {
    WriteResult<GroupSnapshotContent> deleted =
        writer.delete(Kind.GROUP_SNAPSHOT_CONTENT, content.key(), content.meta().uid());
    if (isRefused(deleted)) {
      tell(
          group,
          ClusterEvent.Type.WARNING,
          "GroupSnapshotContentObjectDeleteError",
          "Failed to delete group snapshot content API object");
    }
    return Outcome.after("deleting content " + content.key(), deleted);
  }

  private Outcome delete(GroupSnapshot group, VolumeSnapshot member) throws InterruptedException {
    WriteResult<VolumeSnapshot> deleted =
        writer.delete(Kind.SNAPSHOT, member.key(), member.meta().uid());
    if (isRefused(deleted)) {
      tell(
          group,
          ClusterEvent.Type.WARNING,
          "SnapshotDeleteError",
          "failed to delete snapshot API object "
              + member.key()
              + " part of group snapshot "
              + group.key());
    }
    return Outcome.after("deleting snapshot " + member.key(), deleted);
  }

  private static boolean isRefused(WriteResult<?> deleted) {
    return deleted instanceof WriteResult.Rejected<?>
        || deleted instanceof WriteResult.Unreachable<?>;
  }

  private void tell(GroupSnapshot group, ClusterEvent.Type type, String reason, String note) {
    events.tell(
        new ClusterEvent(Kind.GROUP_SNAPSHOT, group.meta(), type, reason, reason, note, REPORTER));
  }
}
