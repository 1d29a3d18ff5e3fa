package dev.mooring.manager.audit;

import dev.mooring.audit.AuditEntry;
import dev.mooring.audit.AuditSink;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.cluster.WrittenObject;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import dev.mooring.workqueue.ReconcileContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Forwards writes to another writer and adds an audit entry for each completed write. Thread-safe.
 */
public record AuditedWriter(ClusterWriter writer, AuditSink sink, Time time)
    implements ClusterWriter {
  @FunctionalInterface
  private interface Write<T extends Resource> {
    WriteResult<T> send() throws InterruptedException;
  }

  private record AuditedRequest(
      String action, Kind<?> kind, ObjectKey key, Uid uid, Document body) {}

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch)
      throws InterruptedException {
    return writeAndAudit(
        new AuditedRequest("patch", kind, key, Uid.NONE, patch),
        () -> writer.patch(kind, key, patch));
  }

  @Override
  public <T extends Resource> WrittenObject<T> patchAndRead(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    AtomicReference<Optional<T>> readObject = new AtomicReference<>(Optional.empty());
    WriteResult<T> result =
        writeAndAudit(
            new AuditedRequest("patch", kind, key, Uid.NONE, patch),
            () -> {
              WrittenObject<T> answer = writer.patchAndRead(kind, key, patch);
              readObject.set(answer.read());
              return answer.result();
            });
    return new WrittenObject<>(result, readObject.get());
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    return writeAndAudit(
        new AuditedRequest("patch-status", kind, key, Uid.NONE, patch),
        () -> writer.patchStatus(kind, key, patch));
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object)
      throws InterruptedException {
    return writeAndAudit(
        new AuditedRequest("create", kind, key, Uid.NONE, object),
        () -> writer.create(kind, key, object));
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) throws InterruptedException {
    Document precondition =
        version == 0
            ? Document.empty()
            : Document.empty().set(Long.toString(version), "metadata", "resourceVersion");
    return writeAndAudit(
        new AuditedRequest("delete", kind, key, uid, precondition),
        () -> writer.delete(kind, key, uid, version));
  }

  private <T extends Resource> WriteResult<T> writeAndAudit(AuditedRequest request, Write<T> write)
      throws InterruptedException {
    long start = time.nanos();
    try {
      WriteResult<T> result = write.send();
      audit(request, result, start);
      return result;
    } catch (InterruptedException e) {
      audit(request, new WriteResult.Unreachable<>("interrupted before the response"), start);
      throw e;
    }
  }

  private void audit(AuditedRequest request, WriteResult<?> result, long start) {
    Resource writtenObject =
        result instanceof WriteResult.Written<?>(Resource object) ? object : null;
    sink.record(
        new AuditEntry(
            time.now(),
            ReconcileContext.actionOrigin(),
            request.action,
            new AuditEntry.Target(request.kind.kind(), request.key, uid(request, writtenObject)),
            new AuditEntry.Change(
                request.action.equals("delete") ? List.of() : WrittenFields.of(request.body),
                request.body.version(),
                writtenObject == null ? 0 : writtenObject.meta().resourceVersion()),
            token(result),
            message(result),
            Duration.ofNanos(time.nanos() - start)));
  }

  private static String uid(AuditedRequest request, @Nullable Resource writtenObject) {
    if (writtenObject != null) {
      return writtenObject.meta().uid().toString();
    }
    return request.uid.equals(Uid.NONE)
        ? new RawObject(request.body.members()).text("metadata", "uid")
        : request.uid.toString();
  }

  private static String token(WriteResult<?> result) {
    return switch (result) {
      case WriteResult.Written<?> _ -> "written";
      case WriteResult.Conflict<?> _ -> "conflict";
      case WriteResult.Gone<?> _ -> "gone";
      case WriteResult.Rejected<?> _ -> "rejected";
      case WriteResult.Unreachable<?> _ -> "unknown";
    };
  }

  private static String message(WriteResult<?> result) {
    return switch (result) {
      case WriteResult.Written<?> _, WriteResult.Gone<?> _ -> "";
      case WriteResult.Conflict<?>(String message) -> message;
      case WriteResult.Rejected<?>(int code, String message) -> code + ": " + message;
      case WriteResult.Unreachable<?>(String message) -> message;
    };
  }
}
