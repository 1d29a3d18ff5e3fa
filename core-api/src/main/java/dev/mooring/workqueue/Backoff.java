package dev.mooring.workqueue;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Exponential back-off per key: failure n waits {@code first * 2^(n-1)}, at most {@code cap}.
 * Thread-safe. Stores only keys that have failed, until {@link #forget}.
 */
public final class Backoff<K> {
  /** Default delay after the first failure, as in Kubernetes. */
  public static final Duration DEFAULT_FIRST = Duration.ofMillis(5);

  /** Default maximum delay, as in Kubernetes. */
  public static final Duration DEFAULT_CAP = Duration.ofSeconds(1000);

  private final long firstNanos;
  private final long capNanos;
  private final ConcurrentMap<K, Integer> failures = new ConcurrentHashMap<>();

  public Backoff(Duration first, Duration cap) {
    if (!first.isPositive() || cap.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "back-off needs 0 < first <= cap, was " + first + " and " + cap);
    }
    firstNanos = first.toNanos();
    capNanos = cap.toNanos();
  }

  public Duration next(K key) {
    int count = failures.merge(key, 1, (old, one) -> old == Integer.MAX_VALUE ? old : old + one);
    return Duration.ofNanos(delayNanos(count));
  }

  /**
   * Records a failure that is not caused by the key, such as an outage, and returns a delay of at
   * most {@code longest}. Failures beyond that delay are not counted, so a long outage does not
   * lengthen the key's later back-off.
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

  public int failures(K key) {
    return failures.getOrDefault(key, 0);
  }

  public void forget(K key) {
    failures.remove(key);
  }

  int size() {
    return failures.size();
  }
}
