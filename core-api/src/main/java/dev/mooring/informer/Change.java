package dev.mooring.informer;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.function.Predicate;

/** Change of one object. */
public sealed interface Change<T extends Resource> {
  ObjectKey key();

  /** Returns the newest state; for a deleted object, its last state. */
  default T object() {
    return switch (this) {
      case Added<T>(T current) -> current;
      case Updated<T>(T old, T current) -> current;
      case Deleted<T>(T last, _) -> last;
    };
  }

  /**
   * Returns whether the condition held before and no longer holds. It never holds for a deleted
   * object.
   */
  default boolean endsCondition(Predicate<? super T> condition) {
    return switch (this) {
      case Added<T> _ -> false;
      case Updated<T>(T old, T current) -> condition.test(old) && !condition.test(current);
      case Deleted<T>(T last, _) -> condition.test(last);
    };
  }

  record Added<T extends Resource>(T current) implements Change<T> {
    @Override
    public ObjectKey key() {
      return current.key();
    }
  }

  /**
   * The object changed. Different uids mean that it was deleted and created again in between. Then
   * the former state is the last one cached, and the object may have changed before its deletion.
   */
  record Updated<T extends Resource>(T old, T current) implements Change<T> {
    @Override
    public ObjectKey key() {
      return current.key();
    }
  }

  /**
   * The object is gone.
   *
   * @param last last state known
   * @param isFoundByList whether a list lacks the object and the watch did not show the deletion.
   *     Then the object may have changed between its last known state and the deletion, as with
   *     client-go's DeletedFinalStateUnknown.
   */
  record Deleted<T extends Resource>(T last, boolean isFoundByList) implements Change<T> {
    @Override
    public ObjectKey key() {
      return last.key();
    }
  }
}
