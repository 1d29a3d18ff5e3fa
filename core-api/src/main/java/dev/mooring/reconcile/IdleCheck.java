package dev.mooring.reconcile;

import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.time.Time;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Collection;

/**
 * Checks whether queues and their slow work are idle at the same moment. The checks run one after
 * the other, and keys may move between the queues meanwhile.
 */
final class IdleCheck {
  private static final Duration LOOKAHEAD = Duration.ofSeconds(1);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(2);

  private IdleCheck() {}

  /**
   * Returns whether, at some moment during this call, no key was queued, in process, or due within
   * a second, and no work was running. A queue that is idle before and after the check of the work,
   * and received no key in between, was idle throughout. It therefore started no work, and no work
   * that ended left a key behind.
   */
  static boolean isIdle(Collection<? extends WorkQueue<?>> queues, Collection<SlowWork> work) {
    long adds = adds(queues);
    return areIdle(queues)
        && work.stream().allMatch(SlowWork::isQuiet)
        && areIdle(queues)
        && adds(queues) == adds;
  }

  /** Waits until no key is queued, processed or due; returns false after the duration. */
  static boolean awaitIdle(WorkQueue<?> queue, Duration atMost) throws InterruptedException {
    Time time = queue.time();
    long deadline = time.nanos() + atMost.toNanos();
    while (!queue.isIdle(Duration.ZERO)) {
      if (deadline - time.nanos() <= 0) {
        return false;
      }
      time.sleep(POLL_INTERVAL);
    }
    return true;
  }

  private static boolean areIdle(Collection<? extends WorkQueue<?>> queues) {
    return queues.stream().allMatch(queue -> queue.isIdle(LOOKAHEAD));
  }

  private static long adds(Collection<? extends WorkQueue<?>> queues) {
    return queues.stream().mapToLong(WorkQueue::adds).sum();
  }
}
