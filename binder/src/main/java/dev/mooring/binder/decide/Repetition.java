package dev.mooring.binder.decide;

import dev.mooring.model.Uid;
import java.time.Duration;

/**
 * When a reason is told again that stands: events are kept for an hour by default, and what nobody
 * can read any more helps nobody.
 */
public final class Repetition {
  /** Whoever could not be told is told again so soon at the earliest. */
  public static final Duration AFTER_LOSS = Duration.ofSeconds(30);

  private static final Duration AT_THE_EARLIEST = Duration.ofMinutes(50);
  private static final long SPREAD_SECONDS = Duration.ofMinutes(10).toSeconds();

  private Repetition() {}

  /** After how long: less than an hour, and not at the same time for all that began together. */
  public static Duration period(Uid about) {
    return AT_THE_EARLIEST.plusSeconds(Math.floorMod(about.hashCode(), SPREAD_SECONDS));
  }

  /**
   * Whether it is to be told again.
   *
   * @param age how long ago it was told
   * @param lost whether that came to nothing
   */
  public static boolean isDue(Duration age, boolean lost, Uid about) {
    return age.compareTo(lost ? AFTER_LOSS : period(about)) >= 0;
  }
}
