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
  public long list(Consumer<T> each) {
    return 0;
  }

  @Override
  public Page head(int most, Consumer<T> each) {
    return new Page(0, true);
  }

  @Override
  public void watch(long from, boolean everything, Sink<T> sink) throws InterruptedException {
    new CountDownLatch(1).await();
  }

  @Override
  public void catchUp(long from, Sink<T> sink) {
    // no event is missed
  }
}
