package dev.mooring.manager.audit;

import dev.mooring.audit.AuditEntry;
import dev.mooring.audit.AuditSink;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.cluster.WrittenObject;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import dev.mooring.workqueue.ReconcileContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  private record Sent(String did, Kind<?> kind, ObjectKey key, Uid uid, Document body) {}

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch)
      throws InterruptedException {
    return writeAndAudit(
        new Sent("patch", kind, key, Uid.NONE, patch), () -> writer.patch(kind, key, patch));
  }

  @Override
  public <T extends Resource> WrittenObject<T> patchAndRead(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    AtomicReference<Optional<T>> read = new AtomicReference<>(Optional.empty());
    WriteResult<T> result =
        writeAndAudit(
            new Sent("patch", kind, key, Uid.NONE, patch),
            () -> {
              WrittenObject<T> answer = writer.patchAndRead(kind, key, patch);
              read.set(answer.read());
              return answer.result();
            });
    return new WrittenObject<>(result, read.get());
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    return writeAndAudit(
        new Sent("patch-status", kind, key, Uid.NONE, patch),
        () -> writer.patchStatus(kind, key, patch));
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object)
      throws InterruptedException {
    return writeAndAudit(
        new Sent("create", kind, key, Uid.NONE, object), () -> writer.create(kind, key, object));
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) throws InterruptedException {
    Document decidedUpon =
        version == 0
            ? Document.empty()
            : Document.empty().set(Long.toString(version), "metadata", "resourceVersion");
    return writeAndAudit(
        new Sent("delete", kind, key, uid, decidedUpon),
        () -> writer.delete(kind, key, uid, version));
  }

  private <T extends Resource> WriteResult<T> writeAndAudit(Sent sent, Write<T> write)
      throws InterruptedException {
    long began = time.nanos();
    try {
      WriteResult<T> result = write.send();
      audit(sent, result, began);
      return result;
    } catch (InterruptedException stopped) {
      audit(sent, new WriteResult.Unreachable<>("interrupted before the response"), began);
      throw stopped;
    }
  }

  private void audit(Sent sent, WriteResult<?> result, long began) {
    Resource now = result instanceof WriteResult.Written<?>(Resource object) ? object : null;
    sink.note(
        new AuditEntry(
            time.now(),
            ReconcileContext.actionOrigin(),
            sent.did,
            new AuditEntry.Target(sent.kind.kind(), sent.key, uid(sent, now)),
            new AuditEntry.Change(
                sent.did.equals("delete") ? List.of() : WrittenFields.of(sent.body),
                number(sent.body, "resourceVersion"),
                now == null ? 0 : now.meta().resourceVersion()),
            token(result),
            message(result),
            Duration.ofNanos(time.nanos() - began)));
  }

  private static String uid(Sent sent, @Nullable Resource now) {
    if (now != null) {
      return now.meta().uid().toString();
    }
    return sent.uid.equals(Uid.NONE) ? text(sent.body, "uid") : sent.uid.toString();
  }

  private static String text(Document body, String name) {
    return body.members().get("metadata") instanceof Map<?, ?> metadata
        ? Objects.toString(metadata.get(name), "")
        : "";
  }

  private static long number(Document body, String name) {
    String text = text(body, name);
    return text.isEmpty() ? 0 : Long.parseLong(text);
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
