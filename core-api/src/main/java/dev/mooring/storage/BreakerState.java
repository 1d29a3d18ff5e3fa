package dev.mooring.storage;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stored state of a {@link DeletionBreaker}. Its text is bounded: deletions are counted by slices
 * of the window, whatever the limit is.
 *
 * @param hold reason for the hold
 * @param resumedAt last resume by an administrator; {@link Instant#EPOCH} for never
 * @param counts deletions within the window, oldest first
 */
public record BreakerState(Hold hold, Instant resumedAt, List<DeletionCount> counts) {
  public static final BreakerState EMPTY = new BreakerState(Hold.NONE, Instant.EPOCH, List.of());

  private static final int SLICES = 20;

  public enum Hold {
    NONE,
    LIMIT,
    /** The API server was restored from a backup, which may bring back old deletions. */
    RESTORE
  }

  public record DeletionCount(Instant time, int deletions) {}

  public BreakerState {
    counts = List.copyOf(counts);
  }

  /** Merges the counts of each slice of the window; a slice has the time of its latest deletion. */
  BreakerState mergeSlices(Duration window) {
    long sliceSeconds = Math.max(1, window.toSeconds() / SLICES);
    Map<Long, DeletionCount> slices = new TreeMap<>();
    for (DeletionCount count : counts) {
      slices.merge(
          count.time().getEpochSecond() / sliceSeconds,
          count,
          (a, b) ->
              new DeletionCount(
                  a.time().isAfter(b.time()) ? a.time() : b.time(), a.deletions() + b.deletions()));
    }
    return new BreakerState(hold, resumedAt, new ArrayList<>(slices.values()));
  }

  public String toText() {
    StringBuilder builder = new StringBuilder();
    builder.append(hold).append(' ').append(resumedAt.getEpochSecond());
    counts.forEach(count ->
        builder
            .append(' ')
            .append(count.time().getEpochSecond())
            .append(':')
            .append(count.deletions()));
    return builder.toString();
  }

  public static BreakerState parse(String text) {
    String[] tokens = text.split(" ");
    if (tokens.length < 2) {
      throw new IllegalArgumentException("not the state of a circuit breaker: " + text);
    }
    List<DeletionCount> counts = new ArrayList<>();
    for (int i = 2; i < tokens.length; i++) {
      int colon = tokens[i].indexOf(':');
      counts.add(
          new DeletionCount(
              Instant.ofEpochSecond(Long.parseLong(tokens[i], 0, Math.max(colon, 0), 10)),
              Integer.parseInt(tokens[i].substring(colon + 1))));
    }
    return new BreakerState(
        Hold.valueOf(tokens[0]), Instant.ofEpochSecond(Long.parseLong(tokens[1])), counts);
  }
}
