package dev.mooring.informer;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A handler and the changes that it missed because it threw an exception. It receives them again,
 * merged into one change per object, before a later change of that object. Guarded by its
 * informer's lock.
 */
final class HandlerSubscription<T extends Resource> {
  private static final System.Logger LOG = System.getLogger(HandlerSubscription.class.getName());

  private final Consumer<Change<T>> handler;
  private final Map<ObjectKey, Missed<T>> missed = new LinkedHashMap<>();
  private String failure = "";

  private record Missed<T extends Resource>(Optional<T> taken, Change<T> last) {}

  HandlerSubscription(Consumer<Change<T>> handler) {
    this.handler = handler;
  }

  void deliver(Change<T> change) {
    Missed<T> earlier = missed.get(change.key());
    Optional<T> taken = earlier == null ? previous(change) : earlier.taken();
    Optional<Change<T>> merged = earlier == null ? Optional.of(change) : merged(taken, change);
    if (merged.isEmpty() || accepts(merged.get(), earlier == null)) {
      missed.remove(change.key());
    } else {
      missed.put(change.key(), new Missed<>(taken, change));
    }
  }

  int retry() {
    List.copyOf(missed.values()).forEach(one -> deliver(one.last()));
    return missed.size();
  }

  String failure() {
    return missed.isEmpty() ? "" : failure;
  }

  private static <T extends Resource> Optional<T> previous(Change<T> change) {
    return switch (change) {
      case Change.Added<T> _ -> Optional.empty();
      case Change.Updated<T>(T before, T _) -> Optional.of(before);
      case Change.Deleted<T>(T last) -> Optional.of(last);
    };
  }

  private static <T extends Resource> Optional<Change<T>> merged(
      Optional<T> taken, Change<T> last) {
    return switch (last) {
      case Change.Deleted<T> deleted -> taken.map(known -> deleted);
      case Change.Added<T>(T now) -> Optional.of(present(taken, now));
      case Change.Updated<T>(T _, T now) -> Optional.of(present(taken, now));
    };
  }

  private static <T extends Resource> Change<T> present(Optional<T> taken, T now) {
    return taken.isPresent() ? new Change.Updated<>(taken.get(), now) : new Change.Added<>(now);
  }

  private boolean accepts(Change<T> change, boolean first) {
    try {
      handler.accept(change);
      return true;
    } catch (RuntimeException bug) {
      failure = bug.toString();
      LOG.log(
          first ? Level.ERROR : Level.DEBUG,
          () ->
              "an event handler failed for %s %s; each round delivers the change to this handler again"
                  .formatted(change.object().getClass().getSimpleName(), change.key()),
          bug);
      return false;
    }
  }
}
