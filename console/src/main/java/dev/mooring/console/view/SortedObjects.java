package dev.mooring.console.view;

import dev.mooring.informer.CacheSnapshot;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Objects of each kind sorted by name. Caches the order until the kind changes. Thread-safe. */
public final class SortedObjects {
  private record SortedSnapshot(CacheSnapshot<?> snapshot, List<? extends Resource> objects) {}

  private final Map<Kind<?>, SortedSnapshot> sortedByKind = new ConcurrentHashMap<>();

  public SortedObjects() {}

  @SuppressWarnings("unchecked") // the map's key is the kind of the values
  public <T extends Resource> List<T> sort(Informer<T> informer) {
    CacheSnapshot<T> snapshot = informer.snapshot();
    SortedSnapshot sorted = sortedByKind.get(informer.kind());
    if (sorted == null || sorted.snapshot() != snapshot) {
      List<T> objects = snapshot.toList();
      objects.sort(Comparator.comparing(Resource::key));
      sorted = new SortedSnapshot(snapshot, objects);
      sortedByKind.put(informer.kind(), sorted);
    }
    return (List<T>) sorted.objects();
  }
}
