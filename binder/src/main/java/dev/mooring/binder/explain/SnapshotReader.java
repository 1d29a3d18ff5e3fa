package dev.mooring.binder.explain;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.ClusterView;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads volumes and nodes from a snapshot, so that explaining one moment needs no request for each.
 * Asks the API server for kinds that may not be listed, and for all others.
 */
record SnapshotReader(ClusterView clusterView) implements LiveReader {
  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    boolean isListed = kind.equals(Kind.VOLUME) || kind.equals(Kind.NODE);
    if (!isListed || clusterView.readError(kind).isPresent()) {
      return clusterView.reader().read(kind, key);
    }
    Optional<T> object = clusterView.informer(kind).get(key);
    return object.isPresent() ? new ReadResult.Found<>(object.get()) : new ReadResult.Absent<>();
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key)
      throws InterruptedException {
    return clusterView.reader().readWhole(kind, key);
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace)
      throws InterruptedException {
    return clusterView.reader().list(kind, namespace);
  }
}
