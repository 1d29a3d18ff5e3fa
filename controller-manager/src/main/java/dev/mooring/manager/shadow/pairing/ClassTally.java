package dev.mooring.manager.shadow.pairing;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Results of one class of decisions. Not thread-safe. */
public final class ClassTally {
  private static final int MAX_DELAYS = 512;
  private static final int MULTIPLE_OF_P99 = 5;

  private final long[] delays = new long[MAX_DELAYS];
  private final Map<String, Integer> onPurpose = new TreeMap<>();
  private int delayCount;
  private long totalNanos;
  private int equal;
  private int later;
  private int unexplained;
  private int undecided;

  ClassTally() {}

  void addEqual(Duration delay, Duration notableDelay) {
    delays[delayCount++ % MAX_DELAYS] = delay.toNanos();
    totalNanos += delay.toNanos();
    if (delay.compareTo(notableDelay) > 0) {
      later++;
    } else {
      equal++;
    }
  }

  void addOnPurpose(String row) {
    onPurpose.merge(row, 1, Integer::sum);
  }

  void addUnexplained() {
    unexplained++;
  }

  void addUndecided() {
    undecided++;
  }

  public int equal() {
    return equal;
  }

  public int later() {
    return later;
  }

  public int unexplained() {
    return unexplained;
  }

  public int undecided() {
    return undecided;
  }

  public Map<String, Integer> onPurpose() {
    return Map.copyOf(onPurpose);
  }

  public Duration totalDelay() {
    return Duration.ofNanos(totalNanos);
  }

  public Duration delayPercentile(int percent) {
    int count = Math.min(delayCount, MAX_DELAYS);
    if (count == 0) {
      return Duration.ZERO;
    }
    long[] sorted = Arrays.copyOf(delays, count);
    Arrays.sort(sorted);
    return Duration.ofNanos(sorted[Math.min(count - 1, count * percent / 100)]);
  }

  Duration deadline(Duration floor, Duration cap) {
    Duration measured = Duration.ofNanos(MULTIPLE_OF_P99 * delayPercentile(99).toNanos());
    return measured.compareTo(floor) < 0 ? floor : measured.compareTo(cap) > 0 ? cap : measured;
  }
}
