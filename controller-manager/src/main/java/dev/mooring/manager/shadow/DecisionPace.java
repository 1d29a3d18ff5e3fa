package dev.mooring.manager.shadow;

import dev.mooring.workqueue.QueueStats;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Delivers one change at a time, after the controllers have decided about the earlier ones.
 * Otherwise they would often receive the cluster's write before they decide themselves.
 * Thread-safe.
 */
final class DecisionPace implements Consumer<Runnable> {
  private static final long MAX_WAIT_NANOS = Duration.ofMillis(250).toNanos();
  private static final long POLL_NANOS = Duration.ofMillis(1).toNanos();

  private final ReentrantLock turn = new ReentrantLock(true);
  private volatile Supplier<List<QueueStats>> queues = List::of;

  void setQueues(Supplier<List<QueueStats>> newQueues) {
    queues = newQueues;
  }

  boolean isIdle() {
    return queues.get().stream()
        .allMatch(queue -> queue.depth() == 0 && queue.unfinishedSeconds() == 0);
  }

  @Override
  public void accept(Runnable delivery) {
    turn.lock();
    try {
      long start = System.nanoTime();
      while (!isIdle()
          && System.nanoTime() - start < MAX_WAIT_NANOS
          && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      delivery.run();
    } finally {
      turn.unlock();
    }
  }
}
