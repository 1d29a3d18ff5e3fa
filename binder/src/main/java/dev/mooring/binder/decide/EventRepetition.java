package dev.mooring.binder.decide;

import dev.mooring.model.Uid;
import java.time.Duration;

/**
 * Determines when the event of an unchanged reason is emitted again. The API server keeps events
 * for one hour by default.
 */
public final class EventRepetition {
  public static final Duration AFTER_LOSS = Duration.ofSeconds(30);

  private static final Duration AT_THE_EARLIEST = Duration.ofMinutes(50);
  private static final long SPREAD_SECONDS = Duration.ofMinutes(10).toSeconds();

  private EventRepetition() {}

  /**
   * Returns the period: less than an hour, and different for each object, so that repetitions are
   * spread.
   */
  public static Duration period(Uid about) {
    return AT_THE_EARLIEST.plusSeconds(Math.floorMod(about.hashCode(), SPREAD_SECONDS));
  }

  public static boolean isDue(Duration age, boolean lost, Uid about) {
    return age.compareTo(lost ? AFTER_LOSS : period(about)) >= 0;
  }
}
