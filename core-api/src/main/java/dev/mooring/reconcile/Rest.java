package dev.mooring.reconcile;

import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Collection;

/**
 * Tells whether queues and the work that they begin are all at rest at one and the same moment,
 * although they are looked at one after the other and hand keys to each other meanwhile.
 */
final class Rest {
  private static final Duration SOON = Duration.ofSeconds(1);

  private Rest() {}

  /**
   * Whether there was a moment during this call at which nothing was queued, in processing, under
   * way, or due within a second. A queue that was idle before and after the work was looked at, and
   * got no key between, was idle all the while; so nothing began work, and no work that ended left
   * a key behind.
   */
  static boolean is(Collection<? extends WorkQueue<?>> queues, Collection<SlowWork> work) {
    long adds = adds(queues);
    return areIdle(queues)
        && work.stream().allMatch(SlowWork::isQuiet)
        && areIdle(queues)
        && adds(queues) == adds;
  }

  private static boolean areIdle(Collection<? extends WorkQueue<?>> queues) {
    return queues.stream().allMatch(queue -> queue.isIdle(SOON));
  }

  private static long adds(Collection<? extends WorkQueue<?>> queues) {
    return queues.stream().mapToLong(queue -> queue.stats().adds()).sum();
  }
}
