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
  private final ListWatch<T> all;
  private final Predicate<T> wanted;

  public FilteredListWatch(ListWatch<T> all, Predicate<T> wanted) {
    this.all = all;
    this.wanted = wanted;
  }

  @Override
  public boolean streamsLists() {
    return all.streamsLists();
  }

  @Override
  public long list(Consumer<T> each) throws ListWatchException, InterruptedException {
    return all.list(selected(each));
  }

  @Override
  public Page head(int limit, Consumer<T> each) throws ListWatchException, InterruptedException {
    return all.head(limit, selected(each));
  }

  private Consumer<T> selected(Consumer<T> each) {
    return object -> {
      if (wanted.test(object)) {
        each.accept(object);
      }
    };
  }

  @Override
  public void watch(long from, boolean everything, Sink<T> sink)
      throws ListWatchException, InterruptedException {
    all.watch(from, everything, new Selected(sink));
  }

  @Override
  public void catchUp(long from, Sink<T> sink) throws ListWatchException, InterruptedException {
    all.catchUp(from, new Selected(sink));
  }

  private final class Selected implements Sink<T> {
    private final Sink<T> sink;

    Selected(Sink<T> sink) {
      this.sink = sink;
    }

    @Override
    public void present(T object) {
      if (wanted.test(object)) {
        sink.present(object);
      } else {
        sink.progress(object.meta().resourceVersion());
      }
    }

    @Override
    public void deleted(T last) {
      if (wanted.test(last)) {
        sink.deleted(last);
      } else {
        sink.progress(last.meta().resourceVersion());
      }
    }

    @Override
    public void progress(long version) {
      sink.progress(version);
    }

    @Override
    public void complete(long version) {
      sink.complete(version);
    }
  }
}
