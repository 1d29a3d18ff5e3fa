package dev.mooring.manager.telemetry;

import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Resource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * How many objects there are of each group, kept up to date by news of them: whoever reads it pays
 * for the groups, not for the objects. Thread-safe.
 *
 * @param <T> the objects
 * @param <G> their groups
 */
final class Tally<T extends Resource, G> {
  private final Function<T, G> group;
  private final Map<G, Integer> counts = new ConcurrentHashMap<>();

  private Tally(Function<T, G> group) {
    this.group = group;
  }

  /** Of the informer's objects. */
  static <T extends Resource, G> Tally<T, G> of(Informer<T> informer, Function<T, G> group) {
    Tally<T, G> tally = new Tally<>(group);
    informer.addHandler(tally::heard);
    return tally;
  }

  private void heard(Change<T> change) {
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

  /** The groups that have any. */
  Map<G, Integer> counts() {
    return Map.copyOf(counts);
  }
}
