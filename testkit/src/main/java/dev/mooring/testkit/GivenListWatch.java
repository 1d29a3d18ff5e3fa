package dev.mooring.testkit;

import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.model.Resource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Lists the objects that a test supplies; its watch has no events. If the list fails, all other
 * calls fail in the same way.
 */
public record GivenListWatch<T extends Resource>(Objects<T> objects) implements ListWatch<T> {
  @FunctionalInterface
  public interface Objects<T> {
    List<T> list() throws ListWatchException;
  }

  public static <T extends Resource> GivenListWatch<T> empty() {
    return new GivenListWatch<>(List::of);
  }

  @Override
  public boolean streamsLists() {
    return false;
  }

  @Override
  public long list(Consumer<T> consumer) throws ListWatchException {
    objects.list().forEach(consumer);
    return 0;
  }

  @Override
  public Page listFirstPage(int limit, Consumer<T> consumer) throws ListWatchException {
    objects.list();
    return new Page(0, true);
  }

  @Override
  public void watch(long sinceVersion, boolean sendInitialEvents, Sink<T> sink)
      throws ListWatchException, InterruptedException {
    objects.list();
    new CountDownLatch(1).await();
  }

  @Override
  public void catchUp(long sinceVersion, Sink<T> sink) throws ListWatchException {
    objects.list();
  }
}
