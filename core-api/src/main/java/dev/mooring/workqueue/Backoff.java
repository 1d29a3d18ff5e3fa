package dev.mooring.workqueue;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Exponential back-off per key: the n-th failure waits {@code first * 2^(n-1)}, at most {@code
 * cap}. Thread-safe. Asking about a key costs no memory; only failing keys are remembered, until
 * {@link #forget}.
 *
 * @param <K> the key
 */
public final class Backoff<K> {
  /** Kubernetes' default for controllers: 5 ms up to 1000 s. */
  public static final Duration DEFAULT_FIRST = Duration.ofMillis(5);

  /** Kubernetes' default for controllers. */
  public static final Duration DEFAULT_CAP = Duration.ofSeconds(1000);

  private final long firstNanos;
  private final long capNanos;
  private final ConcurrentMap<K, Integer> failures = new ConcurrentHashMap<>();

  /** With these limits, both positive. */
  public Backoff(Duration first, Duration cap) {
    if (!first.isPositive() || cap.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "back-off needs 0 < first <= cap, was " + first + " and " + cap);
    }
    firstNanos = first.toNanos();
    capNanos = cap.toNanos();
  }

  /** Counts one more failure of the key and says how long to wait. */
  public Duration next(K key) {
    int count = failures.merge(key, 1, (old, one) -> old == Integer.MAX_VALUE ? old : old + one);
    return Duration.ofNanos(delayNanos(count));
  }

  /**
   * The same, but no longer than that: for failures that are not the key's, however many there were
   * of them. Those that would wait longer are not counted, so that a long outage does not make the
   * key wait for what it does itself afterwards.
   *
   * @param longest positive
   */
  public Duration next(K key, Duration longest) {
    int count =
        failures.compute(
            key, (k, old) -> old == null ? 1 : delayNanos(old) < longest.toNanos() ? old + 1 : old);
    return Duration.ofNanos(Math.min(delayNanos(count), longest.toNanos()));
  }

  private long delayNanos(int count) {
    int doublings = count - 1;
    return doublings >= Long.numberOfLeadingZeros(firstNanos) - 1
        ? capNanos
        : Math.min(capNanos, firstNanos << doublings);
  }

  /** How often the key has failed since it was last forgotten. */
  public int failures(K key) {
    return failures.getOrDefault(key, 0);
  }

  /** Ends the key's back-off. */
  public void forget(K key) {
    failures.remove(key);
  }

  int size() {
    return failures.size();
  }
}
