package dev.mooring.reconcile;

import dev.mooring.informer.Informer;
import dev.mooring.workqueue.QueueStats;
import java.time.Duration;
import java.util.List;

/** Controller that its host starts once, as leader, and stops once. Thread-safe. */
public interface Controller {
  /** Returns the name in {@code --controllers}. */
  String name();

  /** Returns the caches that the host must fill. */
  List<Informer<?>> reads();

  /** Waits for the required caches and starts. */
  void start() throws InterruptedException;

  /**
   * Stops: accepts no new keys and finishes queued and running work within the grace period.
   *
   * @return whether all work finished
   */
  boolean stop(Duration grace) throws InterruptedException;

  /** Returns whether no work is pending or due within a second. */
  boolean isIdle();

  List<QueueStats> queueStats();
}
