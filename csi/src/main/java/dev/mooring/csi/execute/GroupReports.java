package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.Kind;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.time.Time;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes down on a content what the driver said of its group. Thread-safe. */
final class GroupReports {
  private static final String STATUS = "status";
  private static final long SECOND = 1_000_000_000L;

  private final ClusterWriter writer;
  private final EventSink events;
  private final Time time;
  private final String reporter;

  GroupReports(ClusterWriter writer, EventSink events, Time time, String driver) {
    this.writer = writer;
    this.events = events;
    this.time = time;
    this.reporter = "csi-snapshotter/" + driver;
  }

  /** From now on the driver may have begun, or certainly has not. */
  WriteResult<GroupSnapshotContent> begun(GroupSnapshotContent content, boolean mayHave)
      throws InterruptedException {
    return writer.patch(
        Kind.GROUP_SNAPSHOT_CONTENT,
        content.key(),
        Document.patchOf(content.meta())
            .set(
                mayHave ? "yes" : null,
                "metadata",
                "annotations",
                GroupSnapshotContent.BEING_CREATED));
  }

  WriteResult<GroupSnapshotContent> made(GroupSnapshotContent content, CsiGroupSnapshot group)
      throws InterruptedException {
    GroupSnapshotContent.Status before = content.status();
    long said =
        group.created() != 0 ? Math.floorDiv(group.created(), SECOND) : time.now().getEpochSecond();
    List<Member> members =
        content.source().volumeHandles().isEmpty()
            ? before.members() // whoever made its snapshots names them one by one
            : group.snapshots().stream().map(GroupReports::member).toList();
    GroupSnapshotContent.Status status =
        new GroupSnapshotContent.Status(
            before.handle().isEmpty() ? group.id() : before.handle(),
            before.created() != 0 ? before.created() : said,
            group.ready(),
            before.problem(),
            members);
    if (status.equals(before) && (before.problem().isNone() || !group.ready())) {
      return new WriteResult.Written<>(content);
    }
    Document patch =
        Document.patchOf(content.meta())
            .set(status.handle(), STATUS, "volumeGroupSnapshotHandle")
            .set(Instant.ofEpochSecond(status.created()).toString(), STATUS, "creationTime")
            .set(status.ready(), STATUS, "readyToUse");
    if (!members.isEmpty()) {
      patch.set(
          members.stream().map(GroupReports::info).toList(), STATUS, "volumeSnapshotInfoList");
    }
    if (group.ready()) {
      patch.set(null, STATUS, "error");
    }
    return writer.patchStatus(Kind.GROUP_SNAPSHOT_CONTENT, content.key(), patch);
  }

  private static Member member(CsiSnapshot snapshot) {
    return new Member(
        snapshot.volume(),
        snapshot.id(),
        snapshot.created(),
        snapshot.ready(),
        snapshot.sizeBytes());
  }

  private static Map<String, Object> info(Member member) {
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("volumeHandle", member.volumeHandle());
    info.put("snapshotHandle", member.snapshotHandle());
    info.put("readyToUse", member.ready());
    if (member.created() != 0) {
      info.put("creationTime", member.created());
    }
    if (member.restoreSize() != 0) {
      info.put("restoreSize", member.restoreSize());
    }
    return info;
  }

  /** Says what went wrong, once. */
  WriteResult<GroupSnapshotContent> failed(
      GroupSnapshotContent content, String reason, String message) throws InterruptedException {
    if (content.status().problem().message().equals(message)) {
      return new WriteResult.Written<>(content);
    }
    WriteResult<GroupSnapshotContent> written =
        writer.patchStatus(
            Kind.GROUP_SNAPSHOT_CONTENT,
            content.key(),
            Document.patchOf(content.meta())
                .set(false, STATUS, "readyToUse")
                .set(
                    Map.of(
                        "message",
                        message,
                        "time",
                        Instant.ofEpochSecond(time.now().getEpochSecond()).toString()),
                    STATUS,
                    "error"));
    if (written.written().isPresent()) {
      tell(content, reason, message);
    }
    return written;
  }

  /** Nothing of it is left at the driver. */
  WriteResult<GroupSnapshotContent> destroyed(GroupSnapshotContent content)
      throws InterruptedException {
    return writer.patchStatus(
        Kind.GROUP_SNAPSHOT_CONTENT,
        content.key(),
        Document.patchOf(content.meta())
            .set(null, STATUS, "volumeGroupSnapshotHandle")
            .set(null, STATUS, "readyToUse")
            .set(null, STATUS, "creationTime")
            .set(null, STATUS, "error"));
  }

  void notDestroyed(GroupSnapshotContent content, String why) {
    tell(content, "GroupSnapshotDeleteError", why);
  }

  private void tell(GroupSnapshotContent content, String reason, String note) {
    events.tell(
        new ClusterEvent(
            Kind.GROUP_SNAPSHOT_CONTENT,
            content.meta(),
            ClusterEvent.Type.WARNING,
            reason,
            reason,
            note,
            reporter));
  }
}
