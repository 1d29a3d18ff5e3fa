package dev.mooring.informer;

import dev.mooring.model.Resource;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Lists and watches a subset of a kind's objects, so that the cache stores only these. The
 * condition may depend only on immutable fields. Versions of other objects are forwarded as
 * bookmarks, so that a watch resumes where it ended.
 */
public final class FilteredListWatch<T extends Resource> implements ListWatch<T> {
  private final ListWatch<T> source;
  private final Predicate<T> filter;

  public FilteredListWatch(ListWatch<T> source, Predicate<T> filter) {
    this.source = source;
    this.filter = filter;
  }

  @Override
  public boolean streamsLists() {
    return source.streamsLists();
  }

  @Override
  public long list(Consumer<T> consumer) throws ListWatchException, InterruptedException {
    return source.list(filtered(consumer));
  }

  @Override
  public Page listFirstPage(int limit, Consumer<T> consumer)
      throws ListWatchException, InterruptedException {
    return source.listFirstPage(limit, filtered(consumer));
  }

  private Consumer<T> filtered(Consumer<T> consumer) {
    return object -> {
      if (filter.test(object)) {
        consumer.accept(object);
      }
    };
  }

  @Override
  public void watch(long sinceVersion, boolean sendInitialEvents, Sink<T> sink)
      throws ListWatchException, InterruptedException {
    source.watch(sinceVersion, sendInitialEvents, new FilteredSink(sink));
  }

  @Override
  public void catchUp(long sinceVersion, Sink<T> sink)
      throws ListWatchException, InterruptedException {
    source.catchUp(sinceVersion, new FilteredSink(sink));
  }

  private final class FilteredSink implements Sink<T> {
    private final Sink<T> sink;

    FilteredSink(Sink<T> sink) {
      this.sink = sink;
    }

    @Override
    public void present(T object) {
      if (filter.test(object)) {
        sink.present(object);
      } else {
        sink.bookmark(object.meta().resourceVersion());
      }
    }

    @Override
    public void deleted(T last) {
      if (filter.test(last)) {
        sink.deleted(last);
      } else {
        sink.bookmark(last.meta().resourceVersion());
      }
    }

    @Override
    public void bookmark(long version) {
      sink.bookmark(version);
    }

    @Override
    public void initialEventsEnded(long version) {
      sink.initialEventsEnded(version);
    }
  }
}
