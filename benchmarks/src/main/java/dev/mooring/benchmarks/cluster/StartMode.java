package dev.mooring.benchmarks.cluster;

import java.util.List;
import java.util.Locale;

/** State of the contender's process when the work arrives. */
enum StartMode {
  /** The process starts after all work was requested, as with a single replica. */
  COLD,
  WARM,
  /** The process stands by with full caches when the leader releases the Lease. */
  TAKEOVER,
  /**
   * As {@link #TAKEOVER}, but the leader ends just after a renewal, and the Lease has to expire.
   */
  EXPIRY;

  boolean needsElection() {
    return this == TAKEOVER || this == EXPIRY;
  }

  String option() {
    return name().toLowerCase(Locale.ROOT);
  }

  static StartMode parse(String name) {
    for (StartMode start : values()) {
      if (start.option().equals(name)) {
        return start;
      }
    }
    throw new IllegalArgumentException(
        "unknown value of --starts '%s'; choices: %s"
            .formatted(
                name,
                String.join(", ", List.of(values()).stream().map(StartMode::option).toList())));
  }
}
