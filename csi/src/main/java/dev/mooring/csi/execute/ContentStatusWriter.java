package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.execute.DriverSnapshots.SnapshotAnswer;
import dev.mooring.csi.state.ContentMemory;
import dev.mooring.model.Resource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes a driver's answers to a content, and emits events on it. Thread-safe. */
public record ContentStatusWriter(ClusterPorts ports, String driver, ContentMemory memory) {
  private static final String STATUS = "status";

  private WriteResult<? extends Resource> patch(ContentView content, Document patch)
      throws InterruptedException {
    return ports.writer().patch(content.kind().content(), content.key(), patch);
  }

  private WriteResult<? extends Resource> patchStatus(ContentView content, Document patch)
      throws InterruptedException {
    return ports.writer().patchStatus(content.kind().content(), content.key(), patch);
  }

  // The annotation means that the driver may be creating the data.
  private WriteResult<? extends Resource> markCreation(ContentView content, boolean mayRun)
      throws InterruptedException {
    WriteResult<? extends Resource> result =
        patch(
            content,
            Document.patchOf(content.meta())
                .set(
                    mayRun ? "yes" : null,
                    "metadata",
                    "annotations",
                    content.kind().keys().beingCreated()));
    if (result.toOptional().isPresent()) {
      memory.forgetCreationEnd(content.meta().uid());
    }
    return result;
  }

  // A record of an ended creation may have been removed by a write without an answer, so it does
  // not count.
  boolean isCreationRecorded(ContentView content) {
    return content.hasMark(content.kind().keys().beingCreated())
        && !memory.hasCreationEnded(content.meta().uid());
  }

  WriteResult<? extends Resource> recordCreation(ContentView content) throws InterruptedException {
    return markCreation(content, true);
  }

  WriteResult<? extends Resource> clearCreation(ContentView content) throws InterruptedException {
    return markCreation(content, false);
  }

  // The driver has certainly created nothing.
  WriteResult<? extends Resource> recordCreationEnd(ContentView content)
      throws InterruptedException {
    memory.recordCreationEnd(content.meta().uid());
    return markCreation(content, false);
  }

  WriteResult<? extends Resource> writeTopology(
      ContentView content, List<Map<String, String>> topologies) throws InterruptedException {
    List<Map<String, Object>> terms =
        topologies.stream().map(ContentStatusWriter::toSelectorTerm).toList();
    return patch(content, Document.patchOf(content.meta()).set(terms, "spec", "nodeAffinity"));
  }

  private static Map<String, Object> toSelectorTerm(Map<String, String> segments) {
    return Map.of(
        "matchLabelExpressions",
        new TreeMap<>(segments)
            .entrySet().stream()
                .map(s -> new TreeMap<>(Map.of("key", s.getKey(), "values", List.of(s.getValue()))))
                .toList());
  }

  WriteResult<? extends Resource> writeCreated(ContentView content, SnapshotAnswer answer)
      throws InterruptedException {
    Optional<Document> patch = ContentStatus.buildCreated(content, answer, ports.time().now());
    return patch.isEmpty()
        ? new WriteResult.Written<>(content.content())
        : patchStatus(content, patch.get());
  }

  // Writes an error and emits an event; nothing if the error is unchanged.
  WriteResult<? extends Resource> writeFailure(ContentView content, String reason, String message)
      throws InterruptedException {
    if (content.status().problem().message().equals(message)) {
      return new WriteResult.Written<>(content.content());
    }
    long epochSecond = ports.time().now().getEpochSecond();
    WriteResult<? extends Resource> result =
        patchStatus(
            content,
            Document.patchOf(content.meta())
                .set(false, STATUS, "readyToUse")
                .set(
                    Map.of(
                        "message", message, "time", Instant.ofEpochSecond(epochSecond).toString()),
                    STATUS,
                    "error"));
    if (result.toOptional().isPresent()) {
      emit(content, reason, message);
    }
    return result;
  }

  /**
   * Records that the driver is about to delete the data. The API server accepts the write only if
   * the content still has the resourceVersion that was judged. The value identifies the attempt.
   */
  WriteResult<? extends Resource> recordDeletionStart(ContentView content)
      throws InterruptedException {
    return patch(
        content,
        Document.patchOf(content.meta())
            .set(
                "driver called at " + ports.time().now(),
                "metadata",
                "annotations",
                content.kind().keys().beingDeleted()));
  }

  WriteResult<? extends Resource> writeDeleted(ContentView content) throws InterruptedException {
    return patchStatus(content, ContentStatus.buildDeleted(content));
  }

  WriteResult<? extends Resource> removeFinalizer(ContentView content) throws InterruptedException {
    List<String> finalizers =
        content.meta().finalizersWithout(content.kind().keys().protectionFinalizer());
    return patch(
        content, Document.patchOf(content.meta()).set(finalizers, "metadata", "finalizers"));
  }

  void emitDeletionFailure(ContentView content, String message) {
    emit(content, content.kind().names().infix() + "SnapshotDeleteError", message);
  }

  private void emit(ContentView content, String reason, String message) {
    ports
        .events()
        .emit(
            new ClusterEvent(
                content.kind().content(),
                content.meta(),
                ClusterEvent.Type.WARNING,
                reason,
                reason,
                message,
                "csi-snapshotter/" + driver));
  }
}
