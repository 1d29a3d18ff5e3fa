package dev.mooring.it.sim;

import dev.mooring.reconcile.Compat;
import java.util.Set;

/** The faults that a schedule adds to those that every schedule has. */
enum Mode {
  /** Calls fail before or after they had their effect, and processes crash. */
  NORMAL,

  /** More actors: nodes come and go, administrators keep volumes, users cut snapshots. */
  WIDE,

  /** Watches fall silent, fail and repeat events, and lists break off. */
  FAULTY,

  /** A standby takes over whose watches were silent. */
  TAKEOVERS,

  /** The server answers no client for ten minutes before the calm end. */
  OUTAGES,

  /** Writes of killed processes arrive after another process took over. */
  LATE,

  /** Like LATE, and users delete attachments. */
  LATE_AND_REMOVED,

  /** Like LATE, and a write that its process gave up may arrive while that process runs. */
  GIVEN_UP,

  /** The controllers decide as Kubernetes' controllers do. */
  KUBERNETES;

  /** Number of seeds of each mode. */
  private static final long SEEDS = 1_000_000;

  private static final Set<Mode> WITH_LATE_WRITES = Set.of(LATE, LATE_AND_REMOVED, GIVEN_UP);

  /** Returns the seed of the mode's schedule with that number. */
  long seed(long number) {
    return ordinal() * SEEDS + number;
  }

  /** Returns the mode of a seed. */
  static Mode of(long seed) {
    return values()[(int) (seed / SEEDS)];
  }

  /** Returns whether writes of processes that ended may arrive. */
  boolean hasLateWrites() {
    return WITH_LATE_WRITES.contains(this);
  }

  Compat compat() {
    return this == KUBERNETES ? Compat.KUBERNETES : Compat.MOORING;
  }
}
