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
 * Writes down on a content what the driver said. Thread-safe.
 *
 * @param <C> the contents
 * @param <A> what the driver says
 */
final class ContentReports<C extends Resource, A> {
  private static final String STATUS = "status";

  private final ContentKind<C, ?, A> of;
  private final ClusterPorts ports;
  private final String reporter;

  ContentReports(ContentKind<C, ?, A> of, ClusterPorts ports, String driver) {
    this.of = of;
    this.ports = ports;
    this.reporter = "csi-snapshotter/" + driver;
  }

  /** From now on the driver may have begun, or certainly has not. */
  WriteResult<C> begun(C content, boolean mayHave) throws InterruptedException {
    return ports
        .writer()
        .patch(
            of.words().kind(),
            content.key(),
            Document.patchOf(content.meta())
                .set(mayHave ? "yes" : null, "metadata", "annotations", of.marks().beingCreated()));
  }

  WriteResult<C> made(C content, A answer) throws InterruptedException {
    Optional<Document> patch = of.made(content, answer, ports.time().now());
    return patch.isEmpty() ? new WriteResult.Written<>(content) : show(content, patch.get());
  }

  private WriteResult<C> show(C content, Document patch) throws InterruptedException {
    return ports.writer().patchStatus(of.words().kind(), content.key(), patch);
  }

  /** Says what went wrong, once. */
  WriteResult<C> failed(C content, String reason, String message) throws InterruptedException {
    if (of.facts(content).problem().message().equals(message)) {
      return new WriteResult.Written<>(content);
    }
    long second = ports.time().now().getEpochSecond();
    WriteResult<C> written =
        show(
            content,
            Document.patchOf(content.meta())
                .set(false, STATUS, "readyToUse")
                .set(
                    Map.of("message", message, "time", Instant.ofEpochSecond(second).toString()),
                    STATUS,
                    "error"));
    if (written.written().isPresent()) {
      tell(content, reason, message);
    }
    return written;
  }

  /**
   * Records that the driver is about to delete the data. The API server accepts the write only if
   * the content is in the version that was judged; the value names the attempt.
   */
  WriteResult<C> deletionStarts(C content) throws InterruptedException {
    return ports
        .writer()
        .patch(
            of.words().kind(),
            content.key(),
            Document.patchOf(content.meta())
                .set(
                    "driver called at " + ports.time().now(),
                    "metadata",
                    "annotations",
                    of.marks().beingDeleted()));
  }

  /** Nothing of it is left at the driver. */
  WriteResult<C> destroyed(C content) throws InterruptedException {
    return show(content, of.destroyed(content));
  }

  void notDestroyed(C content, String why) {
    tell(content, of.words().event() + "SnapshotDeleteError", why);
  }

  private void tell(C content, String reason, String note) {
    ports
        .events()
        .tell(
            new ClusterEvent(
                of.words().kind(),
                content.meta(),
                ClusterEvent.Type.WARNING,
                reason,
                reason,
                note,
                reporter));
  }
}
