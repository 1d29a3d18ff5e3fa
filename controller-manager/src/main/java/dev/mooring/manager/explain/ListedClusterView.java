package dev.mooring.manager.explain;

import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Index;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatchException;
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
  public record Source(
      KubeConnection connection, LiveReader reader, EventReader events, LoadedPlugins plugins) {}

  private record Listed<T extends Resource>(List<T> objects, Optional<String> unseen) {}

  private ListedClusterView(Source source, Map<Kind<?>, Seen<?>> seen) {
    super(seen, source.reader(), new CachedEventReader(source.events()), source.plugins());
  }

  /**
   * Lists all kinds concurrently. A kind that cannot be listed is marked unseen; this is not an
   * error.
   *
   * @param namespace limits pods to the namespace; "" for all. Claims are listed in all namespaces
   *     if permitted, because they compete for volumes
   * @param known an object that was read by name and may be missing in the lists; null for none
   */
  public static ListedClusterView read(
      Source source, String namespace, Set<Kind<?>> kinds, @Nullable Resource known)
      throws InterruptedException {
    Map<Kind<?>, Seen<?>> seen = new HashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<Kind<?>, Future<? extends Seen<?>>> asked = new HashMap<>();
      kinds.forEach(
          kind -> asked.put(kind, threads.submit(() -> seen(source, kind, namespace, known))));
      for (Map.Entry<Kind<?>, Future<? extends Seen<?>>> one : asked.entrySet()) {
        seen.put(one.getKey(), one.getValue().get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return new ListedClusterView(source, seen);
  }

  private static <T extends Resource> Seen<T> seen(
      Source source, Kind<T> kind, String namespace, @Nullable Resource known)
      throws InterruptedException {
    boolean everywhere = namespace.isEmpty() || !kind.namespaced() || kind.equals(Kind.CLAIM);
    Listed<T> listed = everywhere ? all(source, kind) : within(source, kind, namespace);
    if (listed.unseen().isPresent() && everywhere && kind.namespaced() && !namespace.isEmpty()) {
      listed = within(source, kind, namespace);
    }
    List<T> objects = new ArrayList<>(listed.objects());
    if (kind.type().isInstance(known)
        && objects.stream().noneMatch(object -> object.key().equals(known.key()))) {
      objects.add(kind.type().cast(known));
    }
    return new Seen<>(Informer.of(kind, indexes(kind), objects), listed.unseen());
  }

  private static <T extends Resource> Listed<T> all(Source source, Kind<T> kind)
      throws InterruptedException {
    List<T> objects = new ArrayList<>();
    try {
      KubeListWatch.once(source.connection(), kind).list(objects::add);
      return new Listed<>(objects, Optional.empty());
    } catch (ListWatchException e) {
      return new Listed<>(List.of(), Optional.of(e.getMessage()));
    }
  }

  private static <T extends Resource> Listed<T> within(
      Source source, Kind<T> kind, String namespace) throws InterruptedException {
    return switch (source.reader().list(kind, namespace)) {
      case ReadResult.Found<List<T>>(List<T> objects) -> new Listed<>(objects, Optional.empty());
      case ReadResult.Absent<List<T>> _ -> new Listed<>(List.of(), Optional.empty());
      case ReadResult.Failed<List<T>>(String message) ->
          new Listed<>(List.of(), Optional.of(message));
    };
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
