package dev.mooring.it.sim;

import dev.mooring.reconcile.Compat;
import java.util.Set;

/** What goes wrong in a schedule besides what always does. */
enum Mode {
  /** Calls fail before or after they have done their work, and processes crash. */
  NORMAL,

  /** More happens: to nodes, to volumes that somebody wants to keep, to snapshots. */
  WIDE,

  /** Watches fall silent, err and are repeated, and lists break off. */
  FAULTY,

  /** A standby takes over whose watches have been silent. */
  TAKEOVERS,

  /** The server answers nobody for ten minutes before all is well. */
  OUTAGES,

  /** Writes of processes that were killed arrive when others have taken over. */
  LATE,

  /** The same, and users remove attachments. */
  LATE_AND_REMOVED,

  /** What a process has given up may arrive while it goes on, too. */
  GIVEN_UP,

  /** The controllers do just what Kubernetes' do. */
  KUBERNETES;

  /** So many schedules there are of each. */
  private static final long SEEDS = 1_000_000;

  private static final Set<Mode> WITH_LATE_WRITES = Set.of(LATE, LATE_AND_REMOVED, GIVEN_UP);

  /** The seed of its schedule of that number. */
  long seed(long number) {
    return ordinal() * SEEDS + number;
  }

  /** In which a seed is played. */
  static Mode of(long seed) {
    return values()[(int) (seed / SEEDS)];
  }

  /** Whether writes whose senders are gone may arrive. */
  boolean hasLateWrites() {
    return WITH_LATE_WRITES.contains(this);
  }

  /** As whose the controllers decide. */
  Compat compat() {
    return this == KUBERNETES ? Compat.KUBERNETES : Compat.MOORING;
  }
}
