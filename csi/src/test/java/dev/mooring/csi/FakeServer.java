package dev.mooring.csi;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Answers patches as it is told, and takes them down. */
public final class FakeServer implements ClusterWriter, LiveReader {
  /** What was written, in order. */
  public final List<String> written = new ArrayList<>();

  /** What objects are read whole, by key. */
  public final Map<ObjectKey, Map<String, Object>> wholes = new ConcurrentHashMap<>();

  /** What objects are read, by key. */
  public final Map<ObjectKey, Resource> objects = new ConcurrentHashMap<>();

  /** The kinds of which nothing is said, by their plurals. */
  public final Set<String> silent = new HashSet<>();

  /** The kinds that the server does not have. */
  public final Set<String> unserved = new HashSet<>();

  /** The kinds that may not be read. */
  public final Set<String> forbidden = new HashSet<>();

  /** What is answered next. */
  public final Deque<WriteResult<?>> answers = new ArrayDeque<>();

  @SuppressWarnings("unchecked") // the test answers with the kind that it is asked for
  private <T> WriteResult<T> answer(Document patch) {
    written.add(patch.toString());
    return (WriteResult<T>) answers.removeFirst();
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
    return answer(patch);
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) {
    return answer(patch);
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object) {
    throw new AssertionError("nothing is made here");
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) {
    throw new AssertionError("nothing is deleted here");
  }

  @Override
  @SuppressWarnings("unchecked") // the test files objects under the kind that they are read as
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
    if (isRefused(kind)) {
      return new ReadResult.Failed<>("no answer");
    }
    T object = (T) objects.get(key);
    return object == null ? new ReadResult.Absent<>() : new ReadResult.Found<>(object);
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
    if (isRefused(kind)) {
      return new ReadResult.Failed<>("no answer");
    }
    Map<String, Object> whole = wholes.get(key);
    return whole == null ? new ReadResult.Absent<>() : new ReadResult.Found<>(whole);
  }

  @Override
  public boolean isForbidden(Kind<?> kind, ObjectKey key) {
    return forbidden.contains(kind.plural());
  }

  private boolean isRefused(Kind<?> kind) {
    return silent.contains(kind.plural()) || forbidden.contains(kind.plural());
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
    return isRefused(kind) || unserved.contains(kind.plural())
        ? new ReadResult.Failed<>("no answer")
        : new ReadResult.Found<>(List.of());
  }
}
