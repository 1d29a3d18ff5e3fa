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
  private final Map<ObjectKey, MissedChange<T>> missedChanges = new LinkedHashMap<>();
  private String failure = "";

  private record MissedChange<T extends Resource>(Optional<T> acceptedState, Change<T> newest) {}

  HandlerSubscription(Consumer<Change<T>> handler) {
    this.handler = handler;
  }

  void deliver(Change<T> change) {
    MissedChange<T> earlierFailure = missedChanges.get(change.key());
    Optional<T> acceptedState =
        earlierFailure == null ? stateBefore(change) : earlierFailure.acceptedState();
    Optional<Change<T>> mergedChange =
        earlierFailure == null ? Optional.of(change) : mergeChange(acceptedState, change);
    if (mergedChange.isEmpty() || tryHandler(mergedChange.get(), earlierFailure == null)) {
      missedChanges.remove(change.key());
    } else {
      missedChanges.put(change.key(), new MissedChange<>(acceptedState, change));
    }
  }

  int retry() {
    List.copyOf(missedChanges.values()).forEach(missed -> deliver(missed.newest()));
    return missedChanges.size();
  }

  String failure() {
    return missedChanges.isEmpty() ? "" : failure;
  }

  private static <T extends Resource> Optional<T> stateBefore(Change<T> change) {
    return switch (change) {
      case Change.Added<T> _ -> Optional.empty();
      case Change.Updated<T>(T old, T _) -> Optional.of(old);
      case Change.Deleted<T>(T last, _) -> Optional.of(last);
    };
  }

  private static <T extends Resource> Optional<Change<T>> mergeChange(
      Optional<T> acceptedState, Change<T> newest) {
    return switch (newest) {
      case Change.Deleted<T> deleted -> acceptedState.map(accepted -> deleted);
      case Change.Added<T>(T current) -> Optional.of(addedOrUpdated(acceptedState, current));
      case Change.Updated<T>(T _, T current) -> Optional.of(addedOrUpdated(acceptedState, current));
    };
  }

  private static <T extends Resource> Change<T> addedOrUpdated(
      Optional<T> acceptedState, T current) {
    return acceptedState.isPresent()
        ? new Change.Updated<>(acceptedState.get(), current)
        : new Change.Added<>(current);
  }

  private boolean tryHandler(Change<T> change, boolean isFirstAttempt) {
    try {
      handler.accept(change);
      return true;
    } catch (RuntimeException bug) {
      failure = bug.toString();
      LOG.log(
          isFirstAttempt ? Level.ERROR : Level.DEBUG,
          () ->
              "an event handler failed for %s %s; each round delivers the change to this handler again"
                  .formatted(change.object().getClass().getSimpleName(), change.key()),
          bug);
      return false;
    }
  }
}
