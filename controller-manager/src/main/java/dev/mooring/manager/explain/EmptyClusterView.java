package dev.mooring.manager.explain;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.ClusterView;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.storage.LoadedPlugins;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class EmptyClusterView implements ClusterView, LiveReader {
  private static final String MESSAGE = "no cluster was read";

  @Override
  public <T extends Resource> Informer<T> informer(Kind<T> kind) {
    return Informer.of(kind, ListedClusterView.indexes(kind), List.of());
  }

  @Override
  public Optional<String> readError(Kind<?> kind) {
    return Optional.of(MESSAGE);
  }

  @Override
  public LiveReader reader() {
    return this;
  }

  @Override
  public EventReader events() {
    return (key, uid) -> new ReadResult.Failed<>(MESSAGE);
  }

  @Override
  public LoadedPlugins plugins() {
    return LoadedPlugins.NONE;
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
    return new ReadResult.Failed<>(MESSAGE);
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
    return new ReadResult.Failed<>(MESSAGE);
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
    return new ReadResult.Failed<>(MESSAGE);
  }
}
