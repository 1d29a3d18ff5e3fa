package dev.mooring.console.view;

import dev.mooring.informer.Change;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Waiting times of the claims that were bound since the console started, in milliseconds. A claim's
 * creation time has a resolution of one second. Therefore the time of a claim that appears while
 * the console watches begins when the console sees it. Thread-safe.
 */
public final class BoundTimes {
  private static final int MAX_CLAIMS = 1000;
  private static final int MAX_OBSERVED_CLAIMS = 100_000;
  private static final double MEDIAN = 0.5;
  private static final double HIGH_PERCENTILE = 0.95;
  private static final long SECOND = 1000;

  // A claim that is older when it appears was created while the watch was interrupted.
  private static final long MAX_AGE_AT_APPEARANCE = 2;

  private static final List<Long> LIMITS =
      List.of(10L, 30L, 100L, 300L, 1000L, 3000L, 10_000L, 30_000L, 120_000L, 600_000L);

  private final Time time;
  private final Deque<Long> lastTimes = new ArrayDeque<>();
  private final Map<Uid, Long> appearances = new HashMap<>(); // milliseconds since the epoch

  /**
   * Statistics over the most recent claims, 1000 at most. Times are in milliseconds.
   *
   * @param count number of claims
   * @param median median waiting time
   * @param percentile95 95th percentile
   * @param max maximum
   * @param buckets all classes of waiting times, the shortest first
   */
  public record Summary(int count, long median, long percentile95, long max, List<Bucket> buckets) {
    public Summary {
      buckets = List.copyOf(buckets);
    }
  }

  /**
   * Class of waiting times.
   *
   * @param from lower bound in milliseconds, inclusive
   * @param to upper bound in milliseconds, exclusive; {@link Long#MAX_VALUE} for none
   * @param count number of claims
   */
  public record Bucket(long from, long to, int count) {}

  public BoundTimes(Time time) {
    this.time = time;
  }

  /**
   * Records a change.
   *
   * @param isSynced whether the first list is complete; claims of the first list have no known time
   *     of appearance
   */
  void claimChanged(Change<Claim> change, boolean isSynced) {
    switch (change) {
      case Change.Added<Claim>(Claim claim) -> {
        if (isSynced && claim.phase() != ClaimPhase.BOUND) {
          appear(claim);
        }
      }
      case Change.Updated<Claim>(Claim old, Claim current) -> {
        if (!old.isReplacedBy(current)
            && old.phase() != ClaimPhase.BOUND
            && current.phase() == ClaimPhase.BOUND
            && current.meta().created() > 0) {
          addBound(current);
        }
      }
      case Change.Deleted<Claim>(Claim claim, _) -> forget(claim);
    }
  }

  private synchronized void appear(Claim claim) {
    long now = time.now().toEpochMilli();
    if (appearances.size() < MAX_OBSERVED_CLAIMS
        && now / SECOND - claim.meta().created() <= MAX_AGE_AT_APPEARANCE) {
      appearances.put(claim.meta().uid(), now);
    }
  }

  private synchronized void addBound(Claim claim) {
    Long appearance = appearances.remove(claim.meta().uid());
    long start = appearance == null ? claim.meta().created() * SECOND : appearance;
    lastTimes.addLast(Math.max(0, time.now().toEpochMilli() - start));
    if (lastTimes.size() > MAX_CLAIMS) {
      lastTimes.removeFirst();
    }
  }

  private synchronized void forget(Claim claim) {
    appearances.remove(claim.meta().uid());
  }

  public synchronized Optional<Summary> summary() {
    if (lastTimes.isEmpty()) {
      return Optional.empty();
    }
    long[] sorted = lastTimes.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    return Optional.of(
        new Summary(
            sorted.length,
            quantile(sorted, MEDIAN),
            quantile(sorted, HIGH_PERCENTILE),
            sorted[sorted.length - 1],
            countBuckets(sorted)));
  }

  private static long quantile(long[] sorted, double fraction) {
    return sorted[(int) Math.ceil(fraction * sorted.length) - 1];
  }

  private static List<Bucket> countBuckets(long[] sorted) {
    List<Bucket> buckets = new ArrayList<>();
    long from = 0;
    for (long limit : LIMITS) {
      buckets.add(bucket(sorted, from, limit));
      from = limit;
    }
    buckets.add(bucket(sorted, from, Long.MAX_VALUE));
    return buckets;
  }

  private static Bucket bucket(long[] sorted, long from, long to) {
    return new Bucket(
        from, to, (int) Arrays.stream(sorted).filter(t -> t >= from && t < to).count());
  }
}
