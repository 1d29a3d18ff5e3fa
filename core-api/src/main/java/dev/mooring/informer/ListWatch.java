package dev.mooring.informer;

import dev.mooring.model.Resource;
import java.util.function.Consumer;

/**
 * Lists and watches one kind. {@code kube} implements it over HTTP, tests with fakes. Calls block
 * and end on interrupt. Lists are consistent: they contain every write that any API server had
 * confirmed before they started.
 */
public interface ListWatch<T extends Resource> {
  /**
   * Returns whether a watch can start with all objects. May become false after a server has refused
   * that.
   */
  boolean streamsLists();

  long list(Consumer<T> consumer) throws ListWatchException, InterruptedException;

  Page listFirstPage(int limit, Consumer<T> consumer)
      throws ListWatchException, InterruptedException;

  /**
   * Watches until the server ends the watch. A regular end returns; a watch that stays silent
   * beyond its timeout throws.
   *
   * @param sinceVersion version after which the watch starts; ignored if {@code sendInitialEvents}
   * @param sendInitialEvents whether the watch starts with all objects, followed by {@link
   *     Sink#initialEventsEnded}; it may end directly afterwards
   * @param sink receives the events
   */
  void watch(long sinceVersion, boolean sendInitialEvents, Sink<T> sink)
      throws ListWatchException, InterruptedException;

  /**
   * Delivers the events since a version with the shortest watch in which the server still sends a
   * final bookmark.
   *
   * @param sinceVersion version after which the watch starts
   * @param sink receives the events
   */
  void catchUp(long sinceVersion, Sink<T> sink) throws ListWatchException, InterruptedException;

  record Page(long version, boolean isComplete) {}

  interface Sink<T extends Resource> {
    void present(T object);

    void deleted(T last);

    void bookmark(long version);

    void initialEventsEnded(long version);
  }
}
