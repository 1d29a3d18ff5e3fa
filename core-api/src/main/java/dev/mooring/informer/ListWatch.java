package dev.mooring.informer;

import dev.mooring.model.Resource;
import java.util.function.Consumer;

/**
 * How a kind is listed and watched; implemented over HTTP by {@code kube}, by fakes in tests. Calls
 * block and honour interruption.
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
   * Watches until the server ends the watch; ordinary ends return.
   *
   * @param from the version after which to begin; ignored if {@code everything}
   * @param everything whether to begin with everything there is, ended by {@link Sink#complete}
   * @param sink told of what happens
   */
  void watch(long from, boolean everything, Sink<T> sink)
      throws ListWatchException, InterruptedException;

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
