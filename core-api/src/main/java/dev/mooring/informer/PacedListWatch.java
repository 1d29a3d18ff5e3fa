package dev.mooring.informer;

import dev.mooring.model.Resource;
import java.util.function.Consumer;

/**
 * Lists and watches a kind. A pace decides when each change is delivered. Lists, also those at the
 * start of a watch, are not delayed.
 */
public final class PacedListWatch<T extends Resource> implements ListWatch<T> {
  private final ListWatch<T> source;
  private final Consumer<Runnable> pace;

  /**
   * @param pace runs each delivery on the calling thread, after a delay
   */
  public PacedListWatch(ListWatch<T> source, Consumer<Runnable> pace) {
    this.source = source;
    this.pace = pace;
  }

  @Override
  public boolean streamsLists() {
    return source.streamsLists();
  }

  @Override
  public long list(Consumer<T> consumer) throws ListWatchException, InterruptedException {
    return source.list(consumer);
  }

  @Override
  public Page listFirstPage(int limit, Consumer<T> consumer)
      throws ListWatchException, InterruptedException {
    return source.listFirstPage(limit, consumer);
  }

  @Override
  public void watch(long sinceVersion, boolean sendInitialEvents, Sink<T> sink)
      throws ListWatchException, InterruptedException {
    source.watch(sinceVersion, sendInitialEvents, new PacedSink(sink, sendInitialEvents));
  }

  @Override
  public void catchUp(long sinceVersion, Sink<T> sink)
      throws ListWatchException, InterruptedException {
    source.catchUp(sinceVersion, new PacedSink(sink, false));
  }

  private final class PacedSink implements Sink<T> {
    private final Sink<T> sink;
    private boolean isListing;

    PacedSink(Sink<T> sink, boolean isListing) {
      this.sink = sink;
      this.isListing = isListing;
    }

    private void deliver(Runnable delivery) {
      if (isListing) {
        delivery.run();
      } else {
        pace.accept(delivery);
      }
    }

    @Override
    public void present(T object) {
      deliver(() -> sink.present(object));
    }

    @Override
    public void deleted(T last) {
      deliver(() -> sink.deleted(last));
    }

    @Override
    public void bookmark(long version) {
      sink.bookmark(version);
    }

    @Override
    public void initialEventsEnded(long version) {
      isListing = false;
      sink.initialEventsEnded(version);
    }
  }
}
