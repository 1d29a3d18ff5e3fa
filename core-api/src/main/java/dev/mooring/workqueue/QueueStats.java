package dev.mooring.workqueue;

import java.util.List;
import java.util.Map;

/**
 * Snapshot of a queue's metrics, with the meaning of Kubernetes' {@code workqueue_*}.
 *
 * @param name name of the queue
 * @param depth number of queued keys
 * @param adds number of additions, without those to a key that was queued already
 * @param retries number of additions with back-off
 * @param queuedTime time that keys were queued
 * @param processingTime time that keys were processed
 * @param unfinishedSeconds sum of the elapsed times of all keys in processing
 * @param longestRunningSeconds maximum of these elapsed times
 * @param outcomes number of keys by result
 */
public record QueueStats(
    String name,
    int depth,
    long adds,
    long retries,
    Histogram queuedTime,
    Histogram processingTime,
    double unfinishedSeconds,
    double longestRunningSeconds,
    Map<KeyOutcome, Long> outcomes) {

  /**
   * Upper bounds of the buckets in seconds, as in client-go; another bucket holds larger values.
   */
  public static final List<Double> BOUNDS =
      List.of(
          1e-8,
          1e-7,
          1e-6,
          9.999999999999999e-6,
          9.999999999999999e-5,
          0.001,
          0.01,
          0.1,
          1.0,
          10.0,
          100.0,
          1000.0);

  /**
   * A distribution.
   *
   * @param counts number of values per bucket, not cumulative; one more element than bounds
   * @param sumSeconds sum of all values
   */
  public record Histogram(List<Long> counts, double sumSeconds) {}
}
