package dev.mooring.manager.shadow;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.manager.shadow.pairing.IntendedWrite;
import dev.mooring.manager.shadow.pairing.ObjectFacts;
import dev.mooring.manager.shadow.pairing.WriteFacts;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.workqueue.ReconcileContext;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records writes and sends none. Every write is rejected, so that controllers retry it with their
 * usual back-off. Thread-safe.
 *
 * @param informers caches of the controllers
 * @param intents receives the writes; thread-safe
 */
record RecordingWriter(SharedInformers informers, Consumer<IntendedWrite> intents)
    implements ClusterWriter {
  private static final int FORBIDDEN = 403;
  private static final String REFUSAL = "the shadow records this write and does not send it";

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
    @Nullable T object = find(kind, key);
    return record(
        newWrite("patch", kind, key, object, linksOf(object))
            .with(patch.version(), WriteFacts.ofPatch(kind, key, patch, object)));
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) {
    return patch(kind, key, patch);
  }

  @Override
  public <T extends Resource> WriteResult<T> create(
      Kind<T> kind, ObjectKey key, Document document) {
    return record(
        newWrite("create", kind, key, null, linksOf(kind, document))
            .with(0, WriteFacts.ofCreation(kind, key, document)));
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) {
    @Nullable T object = find(kind, key);
    return record(
        newWrite("delete", kind, key, object, linksOf(object))
            .with(version, WriteFacts.ofDeletion(kind, key, object)));
  }

  private <T extends Resource> @Nullable T find(Kind<T> kind, ObjectKey key) {
    Informer<T> informer = informers.find(kind).orElse(null);
    if (informer == null) {
      return null;
    }
    synchronized (informer) { // the pairing then has received every change that is cached
      return informer.get(key).orElse(null);
    }
  }

  private static IntendedWrite newWrite(
      String action, Kind<?> kind, ObjectKey key, @Nullable Resource object, Set<String> linked) {
    return new IntendedWrite(
        ReconcileContext.actionOrigin(),
        action,
        kind + " " + key,
        0,
        Map.of(),
        ObjectFacts.of(object),
        linked);
  }

  private static Set<String> linksOf(@Nullable Resource object) {
    return object instanceof Attachment attachment
        ? Set.of(
            Kind.NODE + " " + attachment.nodeName(), Kind.VOLUME + " " + attachment.volumeName())
        : Set.of();
  }

  private static Set<String> linksOf(Kind<?> kind, Document document) {
    return kind.equals(Kind.ATTACHMENT)
            && document.members().get("spec") instanceof Map<?, ?> spec
            && spec.get("nodeName") instanceof String node
        ? Set.of(Kind.NODE + " " + node)
        : Set.of();
  }

  private <T extends Resource> WriteResult<T> record(IntendedWrite write) {
    intents.accept(write);
    return new WriteResult.Rejected<>(FORBIDDEN, REFUSAL);
  }
}
