package dev.mooring.reconcile;

import dev.mooring.informer.Informer;
import dev.mooring.workqueue.QueueStats;
import java.time.Duration;
import java.util.List;

/** Controller that its host starts once, as leader, and stops once. Thread-safe. */
public interface Controller {
  String name();

  List<Informer<?>> reads();

  void start() throws InterruptedException;

  /**
   * Accepts no new keys and finishes queued and running work within the grace period. Returns
   * whether all work finished.
   */
  boolean stop(Duration grace) throws InterruptedException;

  boolean isIdle();

  List<QueueStats> queueStats();

  /** Returns the parts that do not run because the API server refuses kinds. */
  default List<StoppedPart> stoppedParts() {
    return List.of();
  }
}
