package dev.mooring.benchmarks;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** An unreachable cluster that counts requests. */
final class NoServer implements ClusterWriter, LiveReader {
  private final AtomicLong requests = new AtomicLong();

  long requests() {
    return requests.get();
  }

  private <T extends Resource> WriteResult<T> failWrite() {
    requests.incrementAndGet();
    return new WriteResult.Unreachable<>("no cluster here");
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
    return failWrite();
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) {
    return failWrite();
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object) {
    return failWrite();
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) {
    return failWrite();
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
    requests.incrementAndGet();
    return new ReadResult.Failed<>("no cluster here");
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
    requests.incrementAndGet();
    return new ReadResult.Failed<>("no cluster here");
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
    requests.incrementAndGet();
    return new ReadResult.Failed<>("no cluster here");
  }
}
