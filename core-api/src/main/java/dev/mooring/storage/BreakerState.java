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
 * @param resumed last resume by an administrator; {@link Instant#EPOCH} for never
 * @param counts deletions within the window, oldest first
 */
public record BreakerState(Hold hold, Instant resumed, List<Counted> counts) {
  public static final BreakerState EMPTY = new BreakerState(Hold.NONE, Instant.EPOCH, List.of());

  private static final int SLICES = 20;

  public enum Hold {
    NONE,
    LIMIT,
    /** The API server was restored from a backup, which may bring back old deletions. */
    RESTORE
  }

  public record Counted(Instant when, int number) {}

  public BreakerState {
    counts = List.copyOf(counts);
  }

  /** Merges the counts of each slice of the window; a slice has the time of its latest deletion. */
  BreakerState sliced(Duration window) {
    long slice = Math.max(1, window.toSeconds() / SLICES);
    Map<Long, Counted> slices = new TreeMap<>();
    for (Counted one : counts) {
      slices.merge(
          one.when().getEpochSecond() / slice,
          one,
          (a, b) ->
              new Counted(
                  a.when().isAfter(b.when()) ? a.when() : b.when(), a.number() + b.number()));
    }
    return new BreakerState(hold, resumed, new ArrayList<>(slices.values()));
  }

  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(hold).append(' ').append(resumed.getEpochSecond());
    counts.forEach(one ->
        text.append(' ').append(one.when().getEpochSecond()).append(':').append(one.number()));
    return text.toString();
  }

  public static BreakerState parse(String text) {
    String[] parts = text.split(" ");
    if (parts.length < 2) {
      throw new IllegalArgumentException("not the state of a circuit breaker: " + text);
    }
    List<Counted> counts = new ArrayList<>();
    for (int i = 2; i < parts.length; i++) {
      int colon = parts[i].indexOf(':');
      counts.add(
          new Counted(
              Instant.ofEpochSecond(Long.parseLong(parts[i], 0, Math.max(colon, 0), 10)),
              Integer.parseInt(parts[i].substring(colon + 1))));
    }
    return new BreakerState(
        Hold.valueOf(parts[0]), Instant.ofEpochSecond(Long.parseLong(parts[1])), counts);
  }
}
