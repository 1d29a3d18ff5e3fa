package dev.mooring.workqueue;

import dev.mooring.time.DoublingDelay;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Exponential back-off per key: failure n waits {@code firstDelay * 2^(n-1)}, at most {@code cap}.
 * Thread-safe. Stores only keys that have failed, until {@link #forget}.
 */
public final class Backoff<K> {
  /** Default delay after the first failure, as in Kubernetes. */
  public static final Duration DEFAULT_FIRST = Duration.ofMillis(5);

  /** Default maximum delay, as in Kubernetes. */
  public static final Duration DEFAULT_CAP = Duration.ofSeconds(1000);

  private final DoublingDelay delays;
  private final ConcurrentMap<K, Integer> failures = new ConcurrentHashMap<>();

  public Backoff(Duration firstDelay, Duration cap) {
    this.delays = new DoublingDelay(firstDelay, cap);
  }

  public Duration nextDelay(K key) {
    int count =
        failures.merge(
            key, 1, (old, increment) -> old == Integer.MAX_VALUE ? old : old + increment);
    return delays.delayAfter(count);
  }

  /**
   * Records a failure that is not caused by the key, such as an outage, and returns a delay of at
   * most {@code longest}. Failures beyond that delay are not counted, so a long outage does not
   * lengthen the key's later back-off.
   *
   * @param longest positive
   */
  public Duration nextDelay(K key, Duration longest) {
    int count =
        failures.compute(
            key,
            (k, old) ->
                old == null ? 1 : delays.delayAfter(old).compareTo(longest) < 0 ? old + 1 : old);
    Duration delay = delays.delayAfter(count);
    return delay.compareTo(longest) < 0 ? delay : longest;
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
