package dev.mooring.testkit;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.ClusterView;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.storage.LoadedPlugins;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * View of a cluster, for tests: contains only the given objects. Its reader finds only the given
 * documents by name, and lists the given objects. Not thread-safe.
 */
public final class GivenClusterView implements ClusterView, LiveReader {
  private final Map<Kind<?>, Informer<?>> informers = new HashMap<>();
  private final Set<Kind<?>> absentKinds = new HashSet<>();
  private final Map<Kind<?>, String> readErrors = new HashMap<>();
  private final Map<Kind<?>, Map<ObjectKey, Map<String, Object>>> documents = new HashMap<>();
  private List<PastEvent> pastEvents = List.of();
  private LoadedPlugins plugins = LoadedPlugins.NONE;

  /** Adds objects of a kind, without indexes. */
  public <T extends Resource> GivenClusterView with(Kind<T> kind, List<T> objects) {
    return with(Informer.of(kind, List.of(), objects));
  }

  public GivenClusterView with(Informer<?> informer) {
    informers.put(informer.kind(), informer);
    return this;
  }

  public GivenClusterView withDocument(Kind<?> kind, ObjectKey key, Map<String, Object> document) {
    documents.computeIfAbsent(kind, k -> new HashMap<>()).put(key, document);
    return this;
  }

  /** Removes a kind from the API server, which then rejects lists of it. */
  public GivenClusterView withoutKind(Kind<?> kind) {
    absentKinds.add(kind);
    return this;
  }

  public GivenClusterView withReadError(Kind<?> kind, String error) {
    readErrors.put(kind, error);
    return this;
  }

  /** Adds events, which every object returns. */
  public GivenClusterView withEvents(PastEvent... newEvents) {
    pastEvents = List.of(newEvents);
    return this;
  }

  public GivenClusterView with(LoadedPlugins loadedPlugins) {
    plugins = loadedPlugins;
    return this;
  }

  @Override
  @SuppressWarnings("unchecked") // with() stores each informer under its own kind
  public <T extends Resource> Informer<T> informer(Kind<T> kind) {
    return (Informer<T>)
        informers.computeIfAbsent(kind, k -> Informer.of(kind, List.of(), List.of()));
  }

  @Override
  public Optional<String> readError(Kind<?> kind) {
    return Optional.ofNullable(readErrors.get(kind));
  }

  @Override
  public LiveReader reader() {
    return this;
  }

  @Override
  public EventReader events() {
    return (key, uid) -> new ReadResult.Found<>(pastEvents);
  }

  @Override
  public LoadedPlugins plugins() {
    return plugins;
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
    return new ReadResult.Absent<>();
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
    Map<String, Object> document = documents.getOrDefault(kind, Map.of()).get(key);
    return document == null ? new ReadResult.Absent<>() : new ReadResult.Found<>(document);
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
    if (absentKinds.contains(kind)) {
      return new ReadResult.Failed<>("the server does not have " + kind.plural());
    }
    String error = readErrors.get(kind);
    if (error != null) {
      return new ReadResult.Failed<>(error);
    }
    List<T> matches = new ArrayList<>();
    for (T object : informer(kind).snapshot().objects()) {
      if (object.key().namespace().equals(namespace)) {
        matches.add(object);
      }
    }
    return new ReadResult.Found<>(matches);
  }
}
