package dev.mooring.manager.plugin;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Leaves a plugin in peace that has failed for many things one after another. Only failures of the
 * plugin itself count, those that it threw or did not answer: storage that is down has pauses of
 * its own, volume by volume. Failures about one and the same thing count once, so that a single
 * claim that makes a plugin throw stops nobody else's. Thread-safe.
 */
final class Breaker {
  /** So many things have to fail, with no success between them. */
  static final int THINGS = 10;

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LAST = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private final Set<String> failed = new HashSet<>();
  private Duration pause = Duration.ZERO;
  private long until;
  private boolean tried;

  /**
   * Closed.
   *
   * @param nanos a clock that never goes back
   */
  Breaker(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Whether a call may be made now; after a pause one may, to see whether it is better. */
  synchronized boolean admits() {
    if (pause.isZero()) {
      return true;
    }
    if (nanos.getAsLong() - until < 0) {
      return false;
    }
    until = nanos.getAsLong() + pause.toNanos(); // for all but this one
    tried = true;
    return true;
  }

  /** A call was answered. */
  synchronized void succeeded() {
    failed.clear();
    pause = Duration.ZERO;
  }

  /**
   * A call about that was not.
   *
   * @return how long nothing will be asked from now on, if that follows
   */
  synchronized Optional<Duration> failed(String about) {
    if (!pause.isZero()) {
      // else it is one of those that were under way when it opened
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

  /** Whether it is open. */
  synchronized boolean isOpen() {
    return !pause.isZero();
  }
}
