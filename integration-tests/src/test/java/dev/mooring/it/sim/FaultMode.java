package dev.mooring.it.sim;

import dev.mooring.reconcile.Compat;
import java.util.Set;

/**
 * Set of faults of a schedule. Every mode has failing calls ({@link CallFault}), stale caches,
 * crashes and orderly stops of processes. A schedule's seed determines its mode.
 */
enum FaultMode {
  /** No further faults. */
  NORMAL,

  /**
   * Fault: users and administrators do more. They remove nodes, rescue volumes and change
   * snapshots; each workload decides which of these it plays.
   */
  WIDE,

  /**
   * Fault: watches go silent or end with errors, and lists break off in the middle ({@link
   * WatchFaults}).
   */
  FAULTY,

  /**
   * Fault: a standby with stale caches takes over after a crash, because one or all of its watches
   * delivered no event.
   */
  TAKEOVERS,

  /** Fault: the API server answers no call for ten minutes, after all other faults have ended. */
  OUTAGES,

  /**
   * Fault: writes of killed processes reach the API server after another process has taken over.
   */
  LATE,

  /** Faults of {@link #LATE}; users also delete attachments that are needed. */
  LATE_AND_REMOVED,

  /**
   * Faults of {@link #LATE}; a write that timed out may also reach the API server while its process
   * still runs.
   */
  GIVEN_UP,

  /**
   * The controllers run with {@code --compat=kcm}, that is, they imitate kube-controller-manager.
   */
  KUBERNETES;

  /** Seeds per mode. */
  private static final long SEEDS = 1_000_000;

  private static final Set<FaultMode> WITH_LATE_WRITES = Set.of(LATE, LATE_AND_REMOVED, GIVEN_UP);

  long seed(long number) {
    return ordinal() * SEEDS + number;
  }

  static FaultMode of(long seed) {
    return values()[(int) (seed / SEEDS)];
  }

  /** Returns whether writes may reach the API server after their sender has given up or crashed. */
  boolean hasLateWrites() {
    return WITH_LATE_WRITES.contains(this);
  }

  Compat compat() {
    return this == KUBERNETES ? Compat.KUBERNETES : Compat.MOORING;
  }
}
