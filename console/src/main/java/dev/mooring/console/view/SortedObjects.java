package dev.mooring.console.view;

import dev.mooring.informer.CacheSnapshot;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Objects of each kind sorted by name. Caches the order until the kind changes. Thread-safe. */
public final class SortedObjects {
  private record Sorted(CacheSnapshot<?> of, List<? extends Resource> objects) {}

  private final Map<Kind<?>, Sorted> known = new ConcurrentHashMap<>();

  public SortedObjects() {}

  @SuppressWarnings("unchecked") // the map's key is the kind of the values
  public <T extends Resource> List<T> of(Informer<T> informer) {
    CacheSnapshot<T> now = informer.snapshot();
    Sorted sorted = known.get(informer.kind());
    if (sorted == null || sorted.of() != now) {
      List<T> objects = new ArrayList<>(now.size());
      now.all().forEach(objects::add);
      objects.sort(Comparator.comparing(Resource::key));
      sorted = new Sorted(now, objects);
      known.put(informer.kind(), sorted);
    }
    return (List<T>) sorted.objects();
  }
}
