package dev.mooring.manager.lifecycle;

import java.time.Duration;
import java.util.function.Supplier;

/** How long this process may act: always, or as long as it leads. Thread-safe. */
final class WriteGate {
  private static final Duration ALWAYS = Duration.ofDays(1);

  private volatile Supplier<Duration> left = () -> ALWAYS;

  /** From now on that decides. */
  void follow(Supplier<Duration> leading) {
    left = leading;
  }

  Duration left() {
    return left.get();
  }

  boolean isOpen() {
    return left().isPositive();
  }
}
