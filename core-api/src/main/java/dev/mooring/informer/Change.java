package dev.mooring.informer;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.function.Predicate;

/**
 * What happened to one object.
 *
 * @param <T> the object
 */
public sealed interface Change<T extends Resource> {
  /** The object's key. */
  ObjectKey key();

  /** Its newest state; of a deleted object the last. */
  default T object() {
    return switch (this) {
      case Added<T>(T now) -> now;
      case Updated<T>(T before, T now) -> now;
      case Deleted<T>(T last) -> last;
    };
  }

  /** Whether that was so of it before and is not any more; of what is gone nothing is. */
  default boolean ends(Predicate<? super T> so) {
    return switch (this) {
      case Added<T> _ -> false;
      case Updated<T>(T before, T now) -> so.test(before) && !so.test(now);
      case Deleted<T>(T last) -> so.test(last);
    };
  }

  /** It is there now and was not before. */
  record Added<T extends Resource>(T now) implements Change<T> {
    @Override
    public ObjectKey key() {
      return now.key();
    }
  }

  /** It changed. Different uids mean that it was deleted and made anew in between. */
  record Updated<T extends Resource>(T before, T now) implements Change<T> {
    @Override
    public ObjectKey key() {
      return now.key();
    }
  }

  /** It is gone; its last known state. */
  record Deleted<T extends Resource>(T last) implements Change<T> {
    @Override
    public ObjectKey key() {
      return last.key();
    }
  }
}
