package dev.mooring.testkit;

import dev.mooring.informer.SharedInformers;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.DeletionDelay;
import dev.mooring.storage.DeletionGuards;
import dev.mooring.time.Time;

/** Guards of deletions under test. */
public final class TestGuards {
  private TestGuards() {}

  /** Returns guards without a delay and without classes. */
  public static DeletionGuards of(DeletionBreaker breaker, Time time) {
    return new DeletionGuards(breaker, delay(time));
  }

  public static DeletionDelay delay(Time time) {
    return new DeletionDelay(
        DeletionDelay.Config.NONE,
        new SharedInformers(),
        TestPorts.of(new InMemoryCluster(), event -> {}, time));
  }
}
