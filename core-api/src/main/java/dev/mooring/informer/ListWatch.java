package dev.mooring.informer;

import dev.mooring.model.Resource;
import java.util.function.Consumer;

/**
 * How a kind is listed and watched; implemented over HTTP by {@code kube}, by fakes in tests. Calls
 * block and honour interruption. Lists are consistent: they have everything that any server had
 * confirmed when they began.
 *
 * @param <T> the objects
 */
public interface ListWatch<T extends Resource> {
  /**
   * Whether watches can begin with everything there is. May become false after a server has refused
   * it.
   */
  boolean streamsLists();

  /**
   * Lists everything, page by page.
   *
   * @param each called for every object
   * @return the list's version
   */
  long list(Consumer<T> each) throws ListWatchException, InterruptedException;

  /**
   * Lists no more than one page: cheap, and enough to learn the server's version.
   *
   * @param most the most objects that the page may have, at least 1
   * @param each called for every object of the page
   */
  Page head(int most, Consumer<T> each) throws ListWatchException, InterruptedException;

  /**
   * Watches until the server ends the watch, seconds later; ordinary ends return. A watch that is
   * silent beyond its end fails.
   *
   * @param from the version after which to begin; ignored if {@code everything}
   * @param everything whether to tell everything there is instead, ended by {@link Sink#complete},
   *     after which the watch may end at once
   * @param sink told of what happens
   */
  void watch(long from, boolean everything, Sink<T> sink)
      throws ListWatchException, InterruptedException;

  /**
   * The shortest watch before whose end a server still says how far it is: tells what happened
   * since.
   *
   * @param from the version after which to begin
   * @param sink told of what happens
   */
  void catchUp(long from, Sink<T> sink) throws ListWatchException, InterruptedException;

  /**
   * The first page of a list.
   *
   * @param version the list's version
   * @param whole whether it has everything there is
   */
  record Page(long version, boolean whole) {}

  /**
   * Takes what a watch tells.
   *
   * @param <T> the objects
   */
  interface Sink<T extends Resource> {
    /** An object is there, came or changed. */
    void present(T object);

    /** An object was deleted; its last state, carrying the version of the deletion. */
    void deleted(T last);

    /** A bookmark. */
    void progress(long version);

    /** The bookmark that ends the initial events. */
    void complete(long version);
  }
}
