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
  static final int FAILED_SUBJECTS = 10;

  private static final Duration MIN_PAUSE = Duration.ofSeconds(1);
  private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private final Set<String> failedSubjects = new HashSet<>();
  private Duration pause = Duration.ZERO;
  private long pauseEnd;
  private boolean isTrialMade;

  CircuitBreaker(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Returns whether a call may be made. After the pause, admits one trial call. */
  synchronized boolean tryAdmit() {
    if (pause.isZero()) {
      return true;
    }
    if (nanos.getAsLong() - pauseEnd < 0) {
      return false;
    }
    pauseEnd = nanos.getAsLong() + pause.toNanos(); // blocks all calls but this one
    isTrialMade = true;
    return true;
  }

  synchronized void recordSuccess() {
    failedSubjects.clear();
    pause = Duration.ZERO;
  }

  synchronized Optional<Duration> recordFailure(String subject) {
    if (!pause.isZero()) {
      // otherwise the call was already running when the circuit opened
      return isTrialMade ? Optional.of(open(pause.multipliedBy(2))) : Optional.empty();
    }
    return failedSubjects.add(subject) && failedSubjects.size() >= FAILED_SUBJECTS
        ? Optional.of(open(MIN_PAUSE))
        : Optional.empty();
  }

  private Duration open(Duration newPause) {
    pause = newPause.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : newPause;
    pauseEnd = nanos.getAsLong() + pause.toNanos();
    isTrialMade = false;
    return pause;
  }

  synchronized boolean isOpen() {
    return !pause.isZero();
  }
}
