package dev.mooring.reconcile;

import java.util.concurrent.atomic.LongAdder;

/** How reconciles of one worker ended, counted since the start. Thread-safe. */
public final class ReconcileStats {
  final LongAdder settled = new LongAdder();
  final LongAdder conflicted = new LongAdder();
  final LongAdder retried = new LongAdder();
  final LongAdder givenUp = new LongAdder();
  final LongAdder faults = new LongAdder();
  final LongAdder restless = new LongAdder();

  /** Reconciles that ended well. */
  public long settled() {
    return settled.sum();
  }

  /** Reconciles that lost against another writer. */
  public long conflicted() {
    return conflicted.sum();
  }

  /** Reconciles that will be tried again. */
  public long retried() {
    return retried.sum();
  }

  /** Reconciles that were given up until something changes. */
  public long givenUp() {
    return givenUp.sum();
  }

  /** How often a key was found to move without cause. */
  public long restless() {
    return restless.sum();
  }

  /** Uncaught exceptions: bugs. */
  public long faults() {
    return faults.sum();
  }
}
