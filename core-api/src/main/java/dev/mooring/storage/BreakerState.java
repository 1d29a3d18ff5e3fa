package dev.mooring.storage;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of a {@link DeletionBreaker} that outlives a process. Its text is bounded: deletions
 * are counted by slices of the window, whatever the limit is.
 *
 * @param hold the reason why deletions are held
 * @param resumed when an administrator last resumed deletions, {@link Instant#EPOCH} for never
 * @param counts deletions within the window, the oldest first
 */
public record BreakerState(Hold hold, Instant resumed, List<Counted> counts) {
  public static final BreakerState EMPTY = new BreakerState(Hold.NONE, Instant.EPOCH, List.of());

  private static final int SLICES = 20;

  public enum Hold {
    /** They are not. */
    NONE,
    /** The limit is reached. */
    LIMIT,
    /** The API server was restored from a backup: old intents to delete may be back. */
    RESTORE
  }

  /**
   * Deletions at one time.
   *
   * @param when the wall clock's time of the latest
   * @param number the number of deletions, positive
   */
  public record Counted(Instant when, int number) {}

  public BreakerState {
    counts = List.copyOf(counts);
  }

  /** The same with the counts merged by slices of the window; each counts from its latest. */
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

  /** For {@link #parse}: {@code HOLD RESUMED WHEN:NUMBER ...}, times in seconds since the epoch. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(hold).append(' ').append(resumed.getEpochSecond());
    counts.forEach(one ->
        text.append(' ').append(one.when().getEpochSecond()).append(':').append(one.number()));
    return text.toString();
  }

  /**
   * The state in a text.
   *
   * @throws IllegalArgumentException if the text is none of ours
   */
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
