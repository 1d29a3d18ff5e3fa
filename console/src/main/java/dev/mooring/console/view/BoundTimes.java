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
  private static final int MOST = 1000;
  private static final double HALF = 0.5;
  private static final double MOST_OF_THEM = 0.95;

  private final Time time;
  private final Deque<Long> last = new ArrayDeque<>();

  /**
   * Statistics over the most recent claims, 1000 at most.
   *
   * @param count number of claims
   * @param half median waiting time in seconds
   * @param most 95th percentile in seconds
   * @param longest maximum in seconds
   */
  public record Summary(int count, long half, long most, long longest) {}

  public BoundTimes(Time time) {
    this.time = time;
  }

  void changed(Change<Claim> change) {
    if (change instanceof Change.Updated<Claim>(Claim before, Claim now)
        && before.meta().uid().equals(now.meta().uid())
        && before.phase() != ClaimPhase.BOUND
        && now.phase() == ClaimPhase.BOUND
        && now.meta().created() > 0) {
      add(Math.max(0, time.now().getEpochSecond() - now.meta().created()));
    }
  }

  private synchronized void add(long seconds) {
    last.addLast(seconds);
    if (last.size() > MOST) {
      last.removeFirst();
    }
  }

  public synchronized Optional<Summary> summary() {
    if (last.isEmpty()) {
      return Optional.empty();
    }
    long[] sorted = last.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    return Optional.of(
        new Summary(
            sorted.length, at(sorted, HALF), at(sorted, MOST_OF_THEM), sorted[sorted.length - 1]));
  }

  private static long at(long[] sorted, double part) {
    return sorted[(int) Math.ceil(part * sorted.length) - 1];
  }
}
