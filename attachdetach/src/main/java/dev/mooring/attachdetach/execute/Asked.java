package dev.mooring.attachdetach.execute;

import dev.mooring.spi.Attempt;

/**
 * What came of having a volume attached or detached. Plugins know of no API server, so what that
 * did not say is none of their failures.
 *
 * @param <T> what was to be brought about
 */
sealed interface Asked<T> {
  /** Whoever was asked has answered, or was given up. */
  record Answered<T>(Attempt<T> how) implements Asked<T> {}

  /** The API server did not say what had to be known, or did not take what was to be written. */
  record Unanswered<T>(String why) implements Asked<T> {}
}
