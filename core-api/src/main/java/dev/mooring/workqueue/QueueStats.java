package dev.mooring.workqueue;

import java.util.List;
import java.util.Map;

/**
 * A queue's metrics at one moment; names follow Kubernetes' {@code workqueue_*}.
 *
 * @param name the queue's name
 * @param depth keys waiting
 * @param adds keys added since the start, collapsed additions not counted
 * @param retries keys added with back-off since the start
 * @param queued how long keys waited
 * @param work how long processing took
 * @param unfinishedSeconds time spent so far on keys in processing, all added up
 * @param longestRunningSeconds the longest of these
 * @param ended how often processing a key ended how
 */
public record QueueStats(
    String name,
    int depth,
    long adds,
    long retries,
    Histogram queued,
    Histogram work,
    double unfinishedSeconds,
    double longestRunningSeconds,
    Map<Ended, Long> ended) {

  /**
   * Upper bounds of the buckets in seconds, as client-go has them; a last bucket holds the rest.
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
   * @param counts observations per bucket, not accumulated; one more than there are bounds
   * @param sumSeconds all observations added up
   */
  public record Histogram(List<Long> counts, double sumSeconds) {}
}
