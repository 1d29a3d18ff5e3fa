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
  private final Function<T, G> group;
  private final Map<G, Integer> counts = new ConcurrentHashMap<>();

  private GroupCounter(Function<T, G> group) {
    this.group = group;
  }

  static <T extends Resource, G> GroupCounter<T, G> of(Informer<T> informer, Function<T, G> group) {
    GroupCounter<T, G> tally = new GroupCounter<>(group);
    informer.addHandler(tally::changed);
    return tally;
  }

  private void changed(Change<T> change) {
    switch (change) {
      case Change.Added<T>(T now) -> one(group.apply(now), 1);
      case Change.Deleted<T>(T last) -> one(group.apply(last), -1);
      case Change.Updated<T>(T old, T now) -> {
        G before = group.apply(old);
        G after = group.apply(now);
        if (!before.equals(after)) {
          one(before, -1);
          one(after, 1);
        }
      }
    }
  }

  private void one(G counted, int more) {
    counts.merge(counted, more, (a, b) -> a + b == 0 ? null : a + b);
  }

  Map<G, Integer> counts() {
    return Map.copyOf(counts);
  }
}
