package dev.mooring.benchmarks.cluster;

import dev.mooring.benchmarks.ProcessUsage;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * Result of one round. Times are in seconds.
 *
 * @param done number of units done; fewer than requested if the contender got stuck
 * @param rate units per second, from the first request, or from the process start if all requests
 *     were earlier, to the last unit done; 0 if none was done
 * @param first minimum time of a unit
 * @param median median time of a unit
 * @param percentile99 99th percentile of the time of a unit
 * @param cpuSeconds CPU time of the process during the round
 * @param peakMib peak resident memory of the process
 */
record RoundResult(
    int done,
    double rate,
    double first,
    double median,
    double percentile99,
    double cpuSeconds,
    double peakMib) {

  static final RoundResult NONE = new RoundResult(0, 0, Double.NaN, Double.NaN, Double.NaN, 0, 0);

  /**
   * Computes the result from the times at which each unit was requested and done, by {@link
   * System#nanoTime}; {@link CompletionPoller#NEVER} if a unit was not done.
   */
  static RoundResult of(long[] requestedAt, long[] doneAt, ProcessUsage usage) {
    long start = LongStream.of(requestedAt).min().orElseThrow();
    double[] seconds = new double[doneAt.length];
    long last = start;
    int count = 0;
    for (int i = 0; i < doneAt.length; i++) {
      if (doneAt[i] != CompletionPoller.NEVER) {
        seconds[count++] = (doneAt[i] - requestedAt[i]) / 1e9;
        last = Math.max(last, doneAt[i]);
      }
    }
    if (count == 0) {
      return new RoundResult(
          0, 0, Double.NaN, Double.NaN, Double.NaN, usage.cpuSeconds(), usage.peakMib());
    }
    double[] sorted = Arrays.copyOf(seconds, count);
    Arrays.sort(sorted);
    return new RoundResult(
        count,
        count / ((last - start) / 1e9),
        sorted[0],
        sorted[(count - 1) / 2],
        sorted[(int) Math.ceil(count * 0.99) - 1],
        usage.cpuSeconds(),
        usage.peakMib());
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d done, %.0f per second, first after %.2f s, median %.2f s, %.1f s CPU, %.0f MiB",
        done,
        rate,
        first,
        median,
        cpuSeconds,
        peakMib);
  }
}
