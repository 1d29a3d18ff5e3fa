package dev.mooring.testkit;

import dev.mooring.informer.ListWatch;
import dev.mooring.model.Resource;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Source of an informer without objects; its watch has no events. */
public record EmptyListWatch<T extends Resource>() implements ListWatch<T> {
  @Override
  public boolean streamsLists() {
    return false;
  }

  @Override
  public long list(Consumer<T> consumer) {
    return 0;
  }

  @Override
  public Page listFirstPage(int limit, Consumer<T> consumer) {
    return new Page(0, true);
  }

  @Override
  public void watch(long sinceVersion, boolean sendInitialEvents, Sink<T> sink)
      throws InterruptedException {
    new CountDownLatch(1).await();
  }

  @Override
  public void catchUp(long sinceVersion, Sink<T> sink) {
    // no event is missed
  }
}
