package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Resource;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a driver's answers to a content. Thread-safe.
 *
 * @param <C> type of the contents
 * @param <A> the driver's answer
 */
final class ContentStatusWriter<C extends Resource, A> {
  private static final String STATUS = "status";

  private final ContentKind<C, ?, A> kind;
  private final ClusterPorts ports;
  private final String reporter;

  ContentStatusWriter(ContentKind<C, ?, A> kind, ClusterPorts ports, String driver) {
    this.kind = kind;
    this.ports = ports;
    this.reporter = "csi-snapshotter/" + driver;
  }

  // The annotation says that the driver may be creating the data.
  WriteResult<C> markCreation(C content, boolean mayRun) throws InterruptedException {
    return ports
        .writer()
        .patch(
            kind.names().kind(),
            content.key(),
            Document.patchOf(content.meta())
                .set(mayRun ? "yes" : null, "metadata", "annotations", kind.keys().beingCreated()));
  }

  WriteResult<C> writeCreated(C content, A answer) throws InterruptedException {
    Optional<Document> patch = kind.createdStatus(content, answer, ports.time().now());
    return patch.isEmpty() ? new WriteResult.Written<>(content) : patchStatus(content, patch.get());
  }

  private WriteResult<C> patchStatus(C content, Document patch) throws InterruptedException {
    return ports.writer().patchStatus(kind.names().kind(), content.key(), patch);
  }

  // Writes an error and emits an event; nothing if the error is unchanged.
  WriteResult<C> failed(C content, String reason, String message) throws InterruptedException {
    if (kind.facts(content).problem().message().equals(message)) {
      return new WriteResult.Written<>(content);
    }
    long second = ports.time().now().getEpochSecond();
    WriteResult<C> written =
        patchStatus(
            content,
            Document.patchOf(content.meta())
                .set(false, STATUS, "readyToUse")
                .set(
                    Map.of("message", message, "time", Instant.ofEpochSecond(second).toString()),
                    STATUS,
                    "error"));
    if (written.written().isPresent()) {
      emit(content, reason, message);
    }
    return written;
  }

  /**
   * Records that the driver is about to delete the data. The API server accepts the write only if
   * the content still has the resourceVersion that was judged. The value identifies the attempt.
   */
  WriteResult<C> deletionStarts(C content) throws InterruptedException {
    return ports
        .writer()
        .patch(
            kind.names().kind(),
            content.key(),
            Document.patchOf(content.meta())
                .set(
                    "driver called at " + ports.time().now(),
                    "metadata",
                    "annotations",
                    kind.keys().beingDeleted()));
  }

  WriteResult<C> writeDeleted(C content) throws InterruptedException {
    return patchStatus(content, kind.deletedStatus(content));
  }

  void deletionFailed(C content, String why) {
    emit(content, kind.names().event() + "SnapshotDeleteError", why);
  }

  private void emit(C content, String reason, String note) {
    ports
        .events()
        .emit(
            new ClusterEvent(
                kind.names().kind(),
                content.meta(),
                ClusterEvent.Type.WARNING,
                reason,
                reason,
                note,
                reporter));
  }
}
