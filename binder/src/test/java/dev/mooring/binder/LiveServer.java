package dev.mooring.binder;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A server that is asked, whatever caches say. Patches, and creations that were not foreseen, are
 * noted and refused as conflicts; deletions of what is there, by uid, are done.
 */
public final class LiveServer implements LiveReader, ClusterWriter {
  private final Map<Object, Resource> objects = new HashMap<>();
  private final Map<Object, Resource> made = new HashMap<>();
  private final Map<Object, Map<String, Object>> wholes = new HashMap<>();
  private final Set<Object> silent = new HashSet<>();
  private final List<String> reads = new CopyOnWriteArrayList<>();
  private final List<String> writes = new CopyOnWriteArrayList<>();

  private static Object address(Kind<?> kind, ObjectKey key) {
    return List.of(kind.plural(), key);
  }

  /** It has that object. */
  public synchronized <T extends Resource> LiveServer has(Kind<T> kind, T object) {
    objects.put(address(kind, object.key()), object);
    return this;
  }

  /** It does not have that object. */
  public synchronized LiveServer lacks(Kind<?> kind, ObjectKey key) {
    objects.remove(address(kind, key));
    return this;
  }

  /** It gives no answer about that object. */
  public synchronized LiveServer isSilentAbout(Kind<?> kind, ObjectKey key) {
    silent.add(address(kind, key));
    return this;
  }

  /** It makes that object when it is told to. */
  public synchronized <T extends Resource> LiveServer makes(Kind<T> kind, T object) {
    made.put(address(kind, object.key()), object);
    return this;
  }

  /** What was asked, in order. */
  public List<String> reads() {
    return List.copyOf(reads);
  }

  /** What was to be written, in order. */
  public List<String> writes() {
    return List.copyOf(writes);
  }

  @SuppressWarnings("unchecked") // has() files every object under its own kind
  private synchronized <T extends Resource> @Nullable T find(Kind<T> kind, ObjectKey key) {
    return (T) objects.get(address(kind, key));
  }

  @Override
  public synchronized <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
    reads.add(kind + " " + key);
    if (silent.contains(address(kind, key))) {
      return new ReadResult.Failed<>("no answer");
    }
    T found = find(kind, key);
    return found == null ? new ReadResult.Absent<>() : new ReadResult.Found<>(found);
  }

  /** It has that, whole. */
  public synchronized LiveServer hasWhole(
      Kind<?> kind, ObjectKey key, Map<String, Object> members) {
    wholes.put(address(kind, key), members);
    return this;
  }

  @Override
  public synchronized ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
    Map<String, Object> whole = wholes.get(address(kind, key));
    return whole == null
        ? new ReadResult.Failed<>("not kept whole here")
        : new ReadResult.Found<>(whole);
  }

  @Override
  @SuppressWarnings("unchecked") // has() files every object under its own kind
  public synchronized <T extends Resource> ReadResult<List<T>> list(
      Kind<T> kind, String namespace) {
    reads.add(kind.plural() + " of " + namespace);
    List<T> all = new ArrayList<>();
    objects.forEach((address, object) -> {
      if (address.equals(address(kind, object.key()))
          && object.key().namespace().equals(namespace)) {
        all.add((T) object);
      }
    });
    return new ReadResult.Found<>(all);
  }

  private <T extends Resource> WriteResult<T> conflict(String what) {
    writes.add(what);
    return new WriteResult.Conflict<>("somebody else was first");
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
    return conflict("patch " + kind + " " + key + " " + patch);
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) {
    return conflict("patch status of " + kind + " " + key + " " + patch);
  }

  @Override
  @SuppressWarnings("unchecked") // makes() files every object under its own kind
  public synchronized <T extends Resource> WriteResult<T> create(
      Kind<T> kind, ObjectKey key, Document object) {
    T begun = (T) made.get(address(kind, key));
    if (begun == null) {
      return conflict("create " + kind + " " + key);
    }
    writes.add("create " + kind + " " + key);
    has(kind, begun);
    return new WriteResult.Written<>(begun);
  }

  @Override
  public synchronized <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) {
    writes.add("delete " + kind + " " + key);
    T found = find(kind, key);
    if (silent.contains(address(kind, key))) {
      return new WriteResult.Unreachable<>("no answer");
    }
    if (found == null) {
      return new WriteResult.Gone<>();
    }
    if (!found.meta().uid().equals(uid)) {
      return new WriteResult.Conflict<>("another uid");
    }
    objects.remove(address(kind, key));
    return new WriteResult.Gone<>();
  }
}
