package dev.mooring.reconcile;

import dev.mooring.informer.Informer;
import dev.mooring.workqueue.QueueStats;
import java.time.Duration;
import java.util.List;

/**
 * A controller as its host sees it: started once, when leading, and stopped once. Implementations
 * are thread-safe.
 */
public interface Controller {
  /** Its name in {@code --controllers}. */
  String name();

  /** The caches that it needs: whoever hosts it fills them. */
  List<Informer<?>> reads();

  /** Begins, when every cache that it needs is complete; waits for that. */
  void start() throws InterruptedException;

  /**
   * Ends: takes nothing new, finishes what is queued and what runs, within the grace.
   *
   * @return whether everything was finished
   */
  boolean stop(Duration grace) throws InterruptedException;

  /** Whether there is nothing to do at this moment, nor in the next second. */
  boolean isIdle();

  /** The metrics of its queues. */
  List<QueueStats> queueStats();
}
