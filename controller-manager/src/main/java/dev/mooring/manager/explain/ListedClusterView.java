package dev.mooring.manager.explain;

import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Index;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Reason;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.storage.LoadedPlugins;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** View of a cluster from a single list of each kind. Thread-safe. */
public final class ListedClusterView extends FixedClusterView {
  /**
   * Source of a view.
   *
   * @param caches caches that are current, instead of lists of their kinds
   */
  public record Source(
      KubeConnection connection,
      LiveReader reader,
      EventReader events,
      LoadedPlugins plugins,
      Map<Kind<?>, Informer<?>> caches) {
    public Source(
        KubeConnection connection, LiveReader reader, EventReader events, LoadedPlugins plugins) {
      this(connection, reader, events, plugins, Map.of());
    }

    public Source withCaches(Map<Kind<?>, Informer<?>> current) {
      return new Source(connection, reader, events, plugins, current);
    }
  }

  private record ListResult<T extends Resource>(List<T> objects, Optional<String> unseen) {}

  private ListedClusterView(Source source, Map<Kind<?>, ListedKind<?>> kinds) {
    super(kinds, source.reader(), new CachedEventReader(source.events()), source.plugins());
  }

  /**
   * Lists all kinds concurrently. A kind that cannot be listed is marked unseen; this is not an
   * error.
   *
   * @param namespace limits pods to the namespace; "" for all. Claims are listed in all namespaces
   *     if permitted, because they compete for volumes
   * @param namedObject an object that was read by name and may be missing in the lists; null for
   *     none
   */
  public static ListedClusterView read(
      Source source, String namespace, Set<Kind<?>> kinds, @Nullable Resource namedObject)
      throws InterruptedException {
    Map<Kind<?>, ListedKind<?>> listedKinds = new HashMap<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<Kind<?>, Future<? extends ListedKind<?>>> requests = new HashMap<>();
      for (Kind<?> kind : kinds) {
        Informer<?> cache = source.caches().get(kind);
        if (cache != null) {
          listedKinds.put(kind, freeze(cache));
        } else {
          requests.put(kind, executor.submit(() -> listKind(source, kind, namespace, namedObject)));
        }
      }
      for (Map.Entry<Kind<?>, Future<? extends ListedKind<?>>> entry : requests.entrySet()) {
        listedKinds.put(entry.getKey(), entry.getValue().get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return new ListedClusterView(source, listedKinds);
  }

  private static <T extends Resource> ListedKind<T> freeze(Informer<T> cache) {
    Informer<T> frozen = Informer.of(cache.kind(), cache.snapshot());
    indexes(cache.kind()).forEach(frozen::addIndex);
    return new ListedKind<>(frozen, Optional.empty());
  }

  private static <T extends Resource> ListedKind<T> listKind(
      Source source, Kind<T> kind, String namespace, @Nullable Resource namedObject)
      throws InterruptedException {
    boolean inAllNamespaces = namespace.isEmpty() || !kind.namespaced() || kind.equals(Kind.CLAIM);
    ListResult<T> list =
        inAllNamespaces ? listAll(source, kind) : listNamespace(source, kind, namespace);
    if (list.unseen().isPresent() && inAllNamespaces && kind.namespaced() && !namespace.isEmpty()) {
      list = listNamespace(source, kind, namespace);
    }
    List<T> objects = new ArrayList<>(list.objects());
    if (kind.type().isInstance(namedObject)
        && objects.stream().noneMatch(object -> object.key().equals(namedObject.key()))) {
      objects.add(kind.type().cast(namedObject));
    }
    return new ListedKind<>(Informer.of(kind, indexes(kind), objects), list.unseen());
  }

  private static <T extends Resource> ListResult<T> listAll(Source source, Kind<T> kind)
      throws InterruptedException {
    List<T> objects = new ArrayList<>();
    try {
      KubeListWatch.once(source.connection(), kind).list(objects::add);
      return new ListResult<>(objects, Optional.empty());
    } catch (ListWatchException e) {
      return new ListResult<>(
          List.of(), isAbsentKind(kind, e) ? Optional.empty() : Optional.of(e.getMessage()));
    }
  }

  // A cluster may lack the kinds of snapshots.
  private static boolean isAbsentKind(Kind<?> kind, ListWatchException e) {
    return Kind.SNAPSHOT_KINDS.contains(kind) && e.reason() == Reason.NO_SUCH_RESOURCE;
  }

  private static <T extends Resource> ListResult<T> listNamespace(
      Source source, Kind<T> kind, String namespace) throws InterruptedException {
    if (Kind.SNAPSHOT_KINDS.contains(kind) && isAbsent(source, kind)) {
      return new ListResult<>(List.of(), Optional.empty());
    }
    return switch (source.reader().list(kind, namespace)) {
      case ReadResult.Found<List<T>>(List<T> objects) ->
          new ListResult<>(objects, Optional.empty());
      case ReadResult.Absent<List<T>> _ -> new ListResult<>(List.of(), Optional.empty());
      case ReadResult.Failed<List<T>>(String message) ->
          new ListResult<>(List.of(), Optional.of(message));
    };
  }

  private static <T extends Resource> boolean isAbsent(Source source, Kind<T> kind)
      throws InterruptedException {
    try {
      KubeListWatch.once(source.connection(), kind).listFirstPage(1, object -> {});
      return false;
    } catch (ListWatchException e) {
      return isAbsentKind(kind, e);
    }
  }

  @SuppressWarnings("unchecked") // the kind is POD, so T is Pod
  public static <T extends Resource> List<Index<T, ?>> indexes(Kind<T> kind) {
    return kind.equals(Kind.POD)
        ? List.of(
            (Index<T, ?>) (Index<?, ?>) IndexSet.PODS_BY_CLAIM,
            (Index<T, ?>) (Index<?, ?>) AttachDetachController.PODS_BY_NODE)
        : List.of();
  }
}
