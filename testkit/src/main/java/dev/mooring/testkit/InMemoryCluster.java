package dev.mooring.testkit;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.cluster.WrittenObject;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumePopulator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Cluster without a server, for tests. Objects have resourceVersions, finalizers block deletion,
 * statuses are a subresource, and caches contain each write before it returns. Caches, lists and
 * results of writes lack the labels and annotations that Mooring's caches drop. It satisfies {@link
 * ClusterContract}. Kinds without a model record, such as Secrets, keep their full content. It
 * validates no object and sets no defaults. Records lack fields and types of volume sources that
 * Kubernetes does not know. Thread-safe.
 */
public final class InMemoryCluster implements ClusterWriter, LiveReader, EventSink {
  private static final String NOW = "2026-01-01T00:00:00Z";

  private static final List<Kind<?>> CACHED_KINDS =
      Stream.of(
              Kind.ALL,
              Kind.SNAPSHOT_KINDS,
              List.of(Kind.CLAIM_LABELS, Kind.POD_MOUNTS, VolumePopulator.KIND))
          .<Kind<?>>flatMap(List::stream)
          .toList();

  private record StoredObject(JsonTree tree, Meta meta) {
    <T extends Resource> T decode(Kind<T> kind) {
      return TreeReader.read(kind, tree);
    }

    <T extends Resource> T decodeRetained(Kind<T> kind) {
      return TreeReader.readRetained(kind, tree);
    }
  }

  private final SharedInformers informers = new SharedInformers();
  private final Map<String, SortedMap<ObjectKey, StoredObject>> objects = new LinkedHashMap<>();
  private final List<ClusterEvent> events = new ArrayList<>();
  private long version;
  private long uidCount;

  public InMemoryCluster() {}

  public SharedInformers informers() {
    return informers;
  }

  public synchronized List<ClusterEvent> events() {
    return List.copyOf(events);
  }

  public synchronized <T extends Resource> T get(Kind<T> kind, ObjectKey key) {
    StoredObject stored = objectsOf(kind).get(key);
    if (stored == null) {
      throw new IllegalStateException("no " + kind + " " + key);
    }
    return stored.decode(kind);
  }

  /**
   * Stores an object as another client would; only the version changes. Replaces an object with the
   * same name. The object may be terminating.
   *
   * @return the object with its new version
   */
  public synchronized <T extends Resource> T put(Kind<T> kind, T object) {
    return storeAndCache(kind, withNextVersion(TreeWriter.of(object)));
  }

  /** Removes an object as another client would, ignoring finalizers. */
  public synchronized void remove(Kind<?> kind, ObjectKey key) {
    StoredObject stored = objectsOf(kind).get(key);
    if (stored != null) {
      remove(kind, stored.meta());
    }
  }

  private SortedMap<ObjectKey, StoredObject> objectsOf(Kind<?> kind) {
    return objects.computeIfAbsent(kind.group() + "/" + kind.plural(), k -> new TreeMap<>());
  }

  private static List<Kind<?>> kindsOfResource(Kind<?> resource) {
    Kind<PartialObject> partial =
        new Kind<>(
            resource.group(),
            resource.version(),
            resource.plural(),
            resource.kind(),
            resource.namespaced(),
            PartialObject.class);
    return Stream.concat(CACHED_KINDS.stream(), Stream.of(partial))
        .filter(kind ->
            kind.group().equals(resource.group()) && kind.plural().equals(resource.plural()))
        .toList();
  }

  private JsonTree withNextVersion(JsonTree tree) {
    JsonTree metadata = tree.child("metadata").with("resourceVersion", Long.toString(++version));
    return tree.with("metadata", metadata);
  }

  private <T extends Resource> T storeAndCache(Kind<T> kind, JsonTree tree) {
    T object = TreeReader.read(kind, tree);
    objectsOf(kind).put(object.key(), new StoredObject(tree, object.meta()));
    kindsOfResource(kind).forEach(as -> cache(as, tree));
    return object;
  }

  private <T extends Resource> void cache(Kind<T> kind, JsonTree tree) {
    informers.of(kind).applyOwnWrite(TreeReader.readRetained(kind, tree));
  }

  private <T extends Resource> T store(Kind<T> kind, JsonTree tree) {
    JsonTree updated = withNextVersion(tree);
    T object = TreeReader.read(kind, updated);
    boolean isRemoved = object.meta().isBeingDeleted() && object.meta().finalizers().isEmpty();
    if (isRemoved) {
      remove(kind, object.meta());
    } else {
      storeAndCache(kind, updated);
    }
    return TreeReader.readRetained(kind, updated);
  }

  private void remove(Kind<?> kind, Meta meta) {
    objectsOf(kind).remove(meta.key());
    kindsOfResource(kind).forEach(as -> informers.of(as).applyOwnDeletion(meta.key(), meta.uid()));
  }

  @Override
  public synchronized <T extends Resource> WriteResult<T> create(
      Kind<T> kind, ObjectKey key, Document object) {
    if (!key.flaw().isEmpty()) {
      return new WriteResult.Rejected<>(422, key.flaw());
    }
    if (objectsOf(kind).containsKey(key)) {
      return new WriteResult.Conflict<>(kind + " " + key + " already exists");
    }
    JsonTree body = new JsonTree(object.members());
    JsonTree metadata =
        body.child("metadata")
            .with("namespace", kind.namespaced() ? key.namespace() : null)
            .with("name", key.name())
            .with("uid", "00000000-0000-4000-8000-" + "%012x".formatted(++uidCount))
            .with("creationTimestamp", NOW);
    return new WriteResult.Written<>(
        store(kind, body.with("metadata", metadata).with("status", null)));
  }

  @Override
  public synchronized <T extends Resource> WriteResult<T> patch(
      Kind<T> kind, ObjectKey key, Document patch) {
    return patch(kind, key, new JsonTree(patch.members()).with("status", null));
  }

  @Override
  public synchronized <T extends Resource> WrittenObject<T> patchAndRead(
      Kind<T> kind, ObjectKey key, Document patch) {
    WriteResult<T> result = patch(kind, key, patch);
    return new WrittenObject<>(
        result, result.toOptional().flatMap(written -> read(kind, key).toOptional()));
  }

  @Override
  public synchronized <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) {
    JsonTree content = new JsonTree(patch.members());
    JsonTree status =
        JsonTree.EMPTY
            .with("metadata", content.child("metadata").members())
            .with("status", content.get("status"));
    return patch(kind, key, status);
  }

  private <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, JsonTree patch) {
    if (!key.flaw().isEmpty()) {
      return new WriteResult.Rejected<>(422, key.flaw());
    }
    StoredObject stored = objectsOf(kind).get(key);
    if (stored == null) {
      return new WriteResult.Gone<>();
    }
    Meta meta = stored.meta();
    JsonTree metadata = patch.child("metadata");
    boolean isCurrent =
        (!metadata.contains("uid") || metadata.text("uid").equals(meta.uid().toString()))
            && (!metadata.contains("resourceVersion")
                || metadata.text("resourceVersion").equals(Long.toString(meta.resourceVersion())));
    if (!isCurrent) {
      return new WriteResult.Conflict<>(
          kind + " " + key + " has been modified; it is in version " + meta.resourceVersion());
    }
    JsonTree patched = stored.tree().merged(patch.members());
    return new WriteResult.Written<>(
        patched.equals(stored.tree()) ? stored.decodeRetained(kind) : store(kind, patched));
  }

  @Override
  public synchronized <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) {
    if (!key.flaw().isEmpty()) {
      return new WriteResult.Rejected<>(422, key.flaw());
    }
    StoredObject stored = objectsOf(kind).get(key);
    if (stored == null) {
      return new WriteResult.Gone<>();
    }
    Meta meta = stored.meta();
    if (!meta.uid().equals(uid)) {
      return new WriteResult.Conflict<>(kind + " " + key + " is another one by now");
    }
    if (version != 0 && version != meta.resourceVersion()) {
      return new WriteResult.Conflict<>(
          kind + " " + key + " has been modified; it is in version " + meta.resourceVersion());
    }
    if (meta.finalizers().isEmpty()) {
      remove(kind, meta);
      return new WriteResult.Gone<>();
    }
    if (meta.isBeingDeleted()) {
      return new WriteResult.Written<>(stored.decodeRetained(kind));
    }
    JsonTree metadata = stored.tree().child("metadata").with("deletionTimestamp", NOW);
    return new WriteResult.Written<>(store(kind, stored.tree().with("metadata", metadata)));
  }

  @Override
  public synchronized <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
    if (!key.flaw().isEmpty()) {
      return new ReadResult.Failed<>(key.flaw());
    }
    StoredObject stored = objectsOf(kind).get(key);
    return stored == null ? new ReadResult.Absent<>() : new ReadResult.Found<>(stored.decode(kind));
  }

  @Override
  public synchronized ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
    if (!key.flaw().isEmpty()) {
      return new ReadResult.Failed<>(key.flaw());
    }
    StoredObject stored = objectsOf(kind).get(key);
    return stored == null
        ? new ReadResult.Absent<>()
        : new ReadResult.Found<>(toMembers(kind, stored.tree()));
  }

  private static Map<String, Object> toMembers(Kind<?> kind, JsonTree tree) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("apiVersion", kind.apiVersion());
    members.put("kind", kind.kind());
    tree.members().forEach((name, value) -> members.put(name, Objects.requireNonNull(value)));
    return members;
  }

  @Override
  public synchronized <T extends Resource> ReadResult<List<T>> list(
      Kind<T> kind, String namespace) {
    List<T> matches = new ArrayList<>();
    objectsOf(kind)
        .forEach((key, stored) -> {
          if (key.namespace().equals(namespace)) {
            matches.add(stored.decodeRetained(kind));
          }
        });
    return new ReadResult.Found<>(List.copyOf(matches));
  }

  @Override
  public synchronized void emit(ClusterEvent event) {
    events.add(event);
  }
}
