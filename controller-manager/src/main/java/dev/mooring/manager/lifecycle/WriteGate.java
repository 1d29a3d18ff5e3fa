package dev.mooring.manager.lifecycle;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Remaining time in which this process may write: unlimited, or until its leadership ends.
 * Thread-safe.
 */
final class WriteGate {
  private static final Duration ALWAYS = Duration.ofDays(1);

  private volatile Supplier<Duration> remaining = () -> ALWAYS;

  void setSource(Supplier<Duration> leading) {
    remaining = leading;
  }

  Duration remaining() {
    return remaining.get();
  }

  boolean isOpen() {
    return remaining().isPositive();
  }
}
