package dev.mooring.testkit;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteAndRead;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in memory of which not everything is answered as it should be: what is asked is noted,
 * and where a test says so answered in the cluster's place, which then hears nothing of it.
 * Thread-safe.
 */
public final class FaultyCluster implements ClusterWriter, LiveReader {
  /** What may be asked. */
  public enum Verb {
    CREATE,
    PATCH,
    PATCH_STATUS,
    DELETE,
    GET,
    GET_WHOLE,
    LIST;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * What was asked.
   *
   * @param verb what was to be done
   * @param kind of which kind
   * @param key with which object; of lists its namespace counts alone
   * @param document what was to be written, empty where that is nothing
   */
  public record Request(Verb verb, Kind<?> kind, ObjectKey key, Document document) {
    @Override
    public String toString() {
      return verb + " " + kind + " " + key;
    }
  }

  private final InMemoryCluster cluster = new InMemoryCluster();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private volatile Function<Request, @Nullable WriteResult<?>> onWrite = request -> null;
  private volatile Function<Request, @Nullable ReadResult<?>> onRead = request -> null;

  /** Without faults, and with nothing there. */
  public FaultyCluster() {}

  /** What it would answer without faults. */
  public InMemoryCluster cluster() {
    return cluster;
  }

  /** Everything that was asked, in order. */
  public List<Request> requests() {
    return List.copyOf(requests);
  }

  /**
   * From now on writes are answered so.
   *
   * @param instead of the cluster's answer; null to have that
   */
  public FaultyCluster onWrite(Function<Request, @Nullable WriteResult<?>> instead) {
    onWrite = instead;
    return this;
  }

  /**
   * From now on reads are answered so.
   *
   * @param instead of the cluster's answer; null to have that
   */
  public FaultyCluster onRead(Function<Request, @Nullable ReadResult<?>> instead) {
    onRead = instead;
    return this;
  }

  @SuppressWarnings("unchecked") // a test answers with the kind that is asked about
  private <T extends Resource> WriteResult<T> written(
      Request request, Supplier<WriteResult<T>> without) {
    requests.add(request);
    WriteResult<?> instead = onWrite.apply(request);
    return instead == null ? without.get() : (WriteResult<T>) instead;
  }

  @SuppressWarnings("unchecked") // a test answers with the kind that is asked about
  private <T> ReadResult<T> read(Request request, Supplier<ReadResult<T>> without) {
    requests.add(request);
    ReadResult<?> instead = onRead.apply(request);
    return instead == null ? without.get() : (ReadResult<T>) instead;
  }

  private static Request request(Verb verb, Kind<?> kind, ObjectKey key) {
    return new Request(verb, kind, key, Document.empty());
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object) {
    return written(
        new Request(Verb.CREATE, kind, key, object), () -> cluster.create(kind, key, object));
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
    return written(
        new Request(Verb.PATCH, kind, key, patch), () -> cluster.patch(kind, key, patch));
  }

  @Override
  public <T extends Resource> WriteAndRead<T> patchAndRead(
      Kind<T> kind, ObjectKey key, Document patch) {
    WriteResult<T> result = patch(kind, key, patch);
    return new WriteAndRead<>(result, result.written());
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) {
    return written(
        new Request(Verb.PATCH_STATUS, kind, key, patch),
        () -> cluster.patchStatus(kind, key, patch));
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) {
    return written(request(Verb.DELETE, kind, key), () -> cluster.delete(kind, key, uid, version));
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
    return read(request(Verb.GET, kind, key), () -> cluster.read(kind, key));
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
    return read(request(Verb.GET_WHOLE, kind, key), () -> cluster.readWhole(kind, key));
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
    return read(
        request(Verb.LIST, kind, ObjectKey.of(namespace, "")), () -> cluster.list(kind, namespace));
  }
}
