package dev.mooring.console.view;

import dev.mooring.informer.Change;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.time.Time;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/** Waiting times of the claims that were bound since the console started. Thread-safe. */
public final class BoundTimes {
  private static final int MAX_CLAIMS = 1000;
  private static final double MEDIAN = 0.5;
  private static final double HIGH_PERCENTILE = 0.95;

  private final Time time;
  private final Deque<Long> lastSeconds = new ArrayDeque<>();

  /**
   * Statistics over the most recent claims, 1000 at most.
   *
   * @param count number of claims
   * @param half median waiting time in seconds
   * @param most 95th percentile in seconds
   * @param longest maximum in seconds
   */
  public record Summary(int count, long median, long percentile95, long max) {}

  public BoundTimes(Time time) {
    this.time = time;
  }

  void claimChanged(Change<Claim> change) {
    if (change instanceof Change.Updated<Claim>(Claim before, Claim now)
        && before.meta().uid().equals(now.meta().uid())
        && before.phase() != ClaimPhase.BOUND
        && now.phase() == ClaimPhase.BOUND
        && now.meta().created() > 0) {
      add(Math.max(0, time.now().getEpochSecond() - now.meta().created()));
    }
  }

  private synchronized void add(long seconds) {
    lastSeconds.addLast(seconds);
    if (lastSeconds.size() > MAX_CLAIMS) {
      lastSeconds.removeFirst();
    }
  }

  public synchronized Optional<Summary> summary() {
    if (lastSeconds.isEmpty()) {
      return Optional.empty();
    }
    long[] sorted = lastSeconds.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    return Optional.of(
        new Summary(
            sorted.length,
            quantile(sorted, MEDIAN),
            quantile(sorted, HIGH_PERCENTILE),
            sorted[sorted.length - 1]));
  }

  private static long quantile(long[] sorted, double fraction) {
    return sorted[(int) Math.ceil(fraction * sorted.length) - 1];
  }
}
