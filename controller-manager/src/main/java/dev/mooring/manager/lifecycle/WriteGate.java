package dev.mooring.manager.lifecycle;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Remaining time in which this process may write: unlimited, or until its leadership ends.
 * Thread-safe.
 */
final class WriteGate {
  private static final Duration UNLIMITED = Duration.ofDays(1);

  private volatile Supplier<Duration> remaining = () -> UNLIMITED;

  void setSource(Supplier<Duration> source) {
    remaining = source;
  }

  Duration remaining() {
    return remaining.get();
  }

  boolean isOpen() {
    return remaining().isPositive();
  }
}
