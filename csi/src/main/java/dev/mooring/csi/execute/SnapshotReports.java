package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.SnapshotContent;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.time.Time;
import java.time.Instant;
import java.util.Map;

/** Writes down on a content what the driver said of its snapshot. Thread-safe. */
final class SnapshotReports {
  private static final String STATUS = "status";

  private final ClusterWriter writer;
  private final EventSink events;
  private final Time time;
  private final String reporter;

  SnapshotReports(ClusterWriter writer, EventSink events, Time time, String driver) {
    this.writer = writer;
    this.events = events;
    this.time = time;
    this.reporter = "csi-snapshotter/" + driver;
  }

  /** From now on the driver may have begun, or certainly has not. */
  WriteResult<SnapshotContent> begun(SnapshotContent content, boolean mayHave)
      throws InterruptedException {
    return writer.patch(
        Kind.SNAPSHOT_CONTENT,
        content.key(),
        Document.patchOf(content.meta())
            .set(mayHave ? "yes" : null, "metadata", "annotations", SnapshotContent.BEING_CREATED));
  }

  WriteResult<SnapshotContent> made(SnapshotContent content, CsiSnapshot snapshot)
      throws InterruptedException {
    SnapshotContent.Status before = content.status();
    Instant now = time.now();
    long created = snapshot.created() != 0 ? snapshot.created() : nanos(now);
    long size = before.restoreSize() != 0 ? before.restoreSize() : snapshot.sizeBytes();
    SnapshotContent.Status status =
        new SnapshotContent.Status(
            before.handle().isEmpty() ? snapshot.id() : before.handle(),
            before.created() != 0 ? before.created() : created,
            size,
            snapshot.ready(),
            before.problem(),
            before.group().isEmpty() ? snapshot.group() : before.group());
    if (status.equals(before) && (before.problem().isNone() || !snapshot.ready())) {
      return new WriteResult.Written<>(content);
    }
    Document patch =
        Document.patchOf(content.meta())
            .set(status.handle(), STATUS, "snapshotHandle")
            .set(status.created(), STATUS, "creationTime")
            .set(status.ready(), STATUS, "readyToUse");
    if (size > 0) {
      patch.set(size, STATUS, "restoreSize");
    }
    if (!status.group().isEmpty()) {
      patch.set(status.group(), STATUS, "volumeGroupSnapshotHandle");
    }
    if (snapshot.ready()) {
      patch.set(null, STATUS, "error");
    }
    return writer.patchStatus(Kind.SNAPSHOT_CONTENT, content.key(), patch);
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }

  /** Says what went wrong, once. */
  WriteResult<SnapshotContent> failed(SnapshotContent content, String reason, String message)
      throws InterruptedException {
    if (content.status().problem().message().equals(message)) {
      return new WriteResult.Written<>(content);
    }
    WriteResult<SnapshotContent> written =
        writer.patchStatus(
            Kind.SNAPSHOT_CONTENT,
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
  WriteResult<SnapshotContent> destroyed(SnapshotContent content) throws InterruptedException {
    return writer.patchStatus(
        Kind.SNAPSHOT_CONTENT,
        content.key(),
        Document.patchOf(content.meta())
            .set(null, STATUS, "snapshotHandle")
            .set(null, STATUS, "readyToUse")
            .set(null, STATUS, "creationTime")
            .set(null, STATUS, "restoreSize"));
  }

  void notDestroyed(SnapshotContent content, String why) {
    tell(content, "SnapshotDeleteError", why);
  }

  private void tell(SnapshotContent content, String reason, String note) {
    events.tell(
        new ClusterEvent(
            Kind.SNAPSHOT_CONTENT,
            content.meta(),
            ClusterEvent.Type.WARNING,
            reason,
            reason,
            note,
            reporter));
  }
}
