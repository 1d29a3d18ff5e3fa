package dev.mooring.binder;

import java.time.Duration;

/**
 * How many volumes may be destroyed before everything is held back.
 *
 * @param most how many within the window; 0 for any number
 * @param window the window, positive
 */
public record DeletionLimit(int most, Duration window) {
  /** 1,000 volumes in ten minutes. */
  public static final DeletionLimit DEFAULT = new DeletionLimit(1_000, Duration.ofMinutes(10));

  /** No circuit breaker. */
  public static final DeletionLimit NONE = new DeletionLimit(0, Duration.ofMinutes(10));

  public DeletionLimit {
    if (most < 0) {
      throw new IllegalArgumentException(
          "--deletion-brake-limit must not be negative, was " + most + ": 0 switches it off");
    }
    if (!window.isPositive()) {
      throw new IllegalArgumentException(
          "--deletion-brake-window must be positive, was " + window.toSeconds() + "s");
    }
  }
}
