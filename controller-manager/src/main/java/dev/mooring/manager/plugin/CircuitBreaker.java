package dev.mooring.manager.plugin;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Circuit breaker of a plugin. Opens after failures about several different objects without a
 * success in between. Counts only the plugin's own faults (exceptions, timeouts); storage errors
 * have a back-off per volume. Repeated failures about the same object count once, so that one bad
 * claim does not block the others. Thread-safe.
 */
final class CircuitBreaker {
  static final int THINGS = 10;

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LAST = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private final Set<String> failed = new HashSet<>();
  private Duration pause = Duration.ZERO;
  private long until;
  private boolean tried;

  CircuitBreaker(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Returns whether a call may be made. After the pause, admits one trial call. */
  synchronized boolean admits() {
    if (pause.isZero()) {
      return true;
    }
    if (nanos.getAsLong() - until < 0) {
      return false;
    }
    until = nanos.getAsLong() + pause.toNanos(); // blocks all calls but this one
    tried = true;
    return true;
  }

  synchronized void succeeded() {
    failed.clear();
    pause = Duration.ZERO;
  }

  synchronized Optional<Duration> failed(String about) {
    if (!pause.isZero()) {
      // otherwise the call was already running when the circuit opened
      return tried ? Optional.of(open(pause.multipliedBy(2))) : Optional.empty();
    }
    return failed.add(about) && failed.size() >= THINGS
        ? Optional.of(open(FIRST))
        : Optional.empty();
  }

  private Duration open(Duration wanted) {
    pause = wanted.compareTo(LAST) > 0 ? LAST : wanted;
    until = nanos.getAsLong() + pause.toNanos();
    tried = false;
    return pause;
  }

  synchronized boolean isOpen() {
    return !pause.isZero();
  }
}
