package dev.mooring.binder.decide;

import dev.mooring.model.Uid;
import java.time.Duration;

/**
 * Determines when the event of an unchanged reason is emitted again. The API server keeps events
 * for one hour by default.
 */
public final class EventRepetition {
  public static final Duration AFTER_LOSS = Duration.ofSeconds(30);

  private static final Duration MINIMUM_PERIOD = Duration.ofMinutes(50);
  private static final long SPREAD_SECONDS = Duration.ofMinutes(10).toSeconds();

  private EventRepetition() {}

  /**
   * Returns the period: less than an hour, and different for each object, so that repetitions are
   * spread.
   */
  public static Duration period(Uid object) {
    return MINIMUM_PERIOD.plusSeconds(Math.floorMod(object.hashCode(), SPREAD_SECONDS));
  }

  public static boolean isDue(Duration age, boolean sendFailed, Uid object) {
    return age.compareTo(sendFailed ? AFTER_LOSS : period(object)) >= 0;
  }
}
