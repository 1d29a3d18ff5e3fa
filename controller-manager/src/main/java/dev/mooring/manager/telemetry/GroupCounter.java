package dev.mooring.manager.telemetry;

import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Resource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Number of objects per group, maintained by change events. Reading costs O(groups), not
 * O(objects). Thread-safe.
 *
 * @param <T> type of the objects
 * @param <G> type of the groups
 */
final class GroupCounter<T extends Resource, G> {
  private final Function<T, G> groupOf;
  private final Map<G, Integer> counts = new ConcurrentHashMap<>();

  private GroupCounter(Function<T, G> groupOf) {
    this.groupOf = groupOf;
  }

  static <T extends Resource, G> GroupCounter<T, G> of(
      Informer<T> informer, Function<T, G> groupOf) {
    GroupCounter<T, G> counter = new GroupCounter<>(groupOf);
    informer.addHandler(counter::objectChanged);
    return counter;
  }

  private void objectChanged(Change<T> change) {
    switch (change) {
      case Change.Added<T>(T current) -> addToCount(groupOf.apply(current), 1);
      case Change.Deleted<T>(T last, _) -> addToCount(groupOf.apply(last), -1);
      case Change.Updated<T>(T old, T current) -> {
        G before = groupOf.apply(old);
        G after = groupOf.apply(current);
        if (!before.equals(after)) {
          addToCount(before, -1);
          addToCount(after, 1);
        }
      }
    }
  }

  private void addToCount(G group, int delta) {
    counts.merge(group, delta, (a, b) -> a + b == 0 ? null : a + b);
  }

  Map<G, Integer> counts() {
    return Map.copyOf(counts);
  }
}
