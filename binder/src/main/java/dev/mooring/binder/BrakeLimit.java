package dev.mooring.binder;

import java.time.Duration;

/**
 * How many volumes may be destroyed before everything is held back.
 *
 * @param most how many within the window; 0 for any number
 * @param window the window, positive
 */
public record BrakeLimit(int most, Duration window) {
  /** 1,000 volumes in ten minutes. */
  public static final BrakeLimit DEFAULT = new BrakeLimit(1_000, Duration.ofMinutes(10));

  /** No brake. */
  public static final BrakeLimit NONE = new BrakeLimit(0, Duration.ofMinutes(10));

  public BrakeLimit {
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
