package dev.mooring.benchmarks.cluster;

import dev.mooring.benchmarks.ProcessUsage;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * What came of one round. Times are in seconds.
 *
 * @param done how many units came to their goal; fewer than were asked for if it got stuck
 * @param rate how many did so a second, from the first that was asked for, or the start of the
 *     process if all were by then, to the last; 0 if none did
 * @param first how long the first took
 * @param half how long half of them took at most
 * @param almostAll how long 99 of 100 took at most
 * @param cpuSeconds what the process used of the processor meanwhile
 * @param peakMib the most memory that it ever had
 */
record Result(
    int done,
    double rate,
    double first,
    double half,
    double almostAll,
    double cpuSeconds,
    double peakMib) {

  static final Result NONE = new Result(0, 0, Double.NaN, Double.NaN, Double.NaN, 0, 0);

  /**
   * Of when each unit was asked for and done, by {@link System#nanoTime}; {@link Looking#NEVER} of
   * one that was not done.
   */
  static Result of(long[] asked, long[] done, ProcessUsage used) {
    long began = LongStream.of(asked).min().orElseThrow();
    double[] took = new double[done.length];
    long last = began;
    int count = 0;
    for (int i = 0; i < done.length; i++) {
      if (done[i] != Looking.NEVER) {
        took[count++] = (done[i] - asked[i]) / 1e9;
        last = Math.max(last, done[i]);
      }
    }
    if (count == 0) {
      return new Result(
          0, 0, Double.NaN, Double.NaN, Double.NaN, used.cpuSeconds(), used.peakMib());
    }
    double[] sorted = Arrays.copyOf(took, count);
    Arrays.sort(sorted);
    return new Result(
        count,
        count / ((last - began) / 1e9),
        sorted[0],
        sorted[(count - 1) / 2],
        sorted[(int) Math.ceil(count * 0.99) - 1],
        used.cpuSeconds(),
        used.peakMib());
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d done, %.0f a second, first after %.2f s, half %.2f s, %.1f s CPU, %.0f MiB",
        done,
        rate,
        first,
        half,
        cpuSeconds,
        peakMib);
  }
}
