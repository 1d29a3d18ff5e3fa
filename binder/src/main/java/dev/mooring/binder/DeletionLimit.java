package dev.mooring.binder;

import java.time.Duration;

/**
 * Limit of destroyed volumes that stops all deletions.
 *
 * @param most maximum number within the window; 0 = no limit
 * @param window length of the window; positive
 */
public record DeletionLimit(int most, Duration window) {
  public static final DeletionLimit DEFAULT = new DeletionLimit(1_000, Duration.ofMinutes(10));

  public static final DeletionLimit NONE = new DeletionLimit(0, Duration.ofMinutes(10));

  public DeletionLimit {
    if (most < 0) {
      throw new IllegalArgumentException(
          "--deletion-brake-limit must not be negative, was " + most + ": 0 disables the limit");
    }
    if (!window.isPositive()) {
      throw new IllegalArgumentException(
          "--deletion-brake-window must be positive, was " + window.toSeconds() + "s");
    }
  }
}
