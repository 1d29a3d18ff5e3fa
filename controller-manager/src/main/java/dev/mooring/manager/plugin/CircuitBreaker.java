package dev.mooring.manager.plugin;

import dev.mooring.time.DoublingDelay;
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
  static final int FAILED_SUBJECTS = 10;

  private static final DoublingDelay PAUSES =
      new DoublingDelay(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private final LongSupplier nanos;
  private final Set<String> failedSubjects = new HashSet<>();
  private int openings;
  private long pauseEnd;
  private boolean isTrialMade;

  CircuitBreaker(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Returns whether a call may be made. After the pause, admits one trial call. */
  synchronized boolean tryAdmit() {
    if (openings == 0) {
      return true;
    }
    if (nanos.getAsLong() - pauseEnd < 0) {
      return false;
    }
    pauseEnd =
        nanos.getAsLong() + PAUSES.delayAfter(openings).toNanos(); // blocks all calls but this one
    isTrialMade = true;
    return true;
  }

  synchronized void recordSuccess() {
    failedSubjects.clear();
    openings = 0;
  }

  synchronized Optional<Duration> recordFailure(String subject) {
    if (openings > 0) {
      // otherwise the call was already running when the circuit opened
      return isTrialMade ? Optional.of(open()) : Optional.empty();
    }
    return failedSubjects.add(subject) && failedSubjects.size() >= FAILED_SUBJECTS
        ? Optional.of(open())
        : Optional.empty();
  }

  private Duration open() {
    Duration pause = PAUSES.delayAfter(++openings);
    pauseEnd = nanos.getAsLong() + pause.toNanos();
    isTrialMade = false;
    return pause;
  }

  synchronized boolean isOpen() {
    return openings > 0;
  }
}
