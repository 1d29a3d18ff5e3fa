package dev.mooring.explain;

import java.util.Locale;

/** Time of the next step, as far as an observer can predict it. */
public enum Timing {
  /** At once, if the actor is running. */
  AT_ONCE,
  /** At once, unless a flag of the actor disables it; observers cannot see flags. */
  UNLESS_OFF,
  /** Retry after a back-off; at once if the actor has just started. */
  AGAIN,
  /** After another step or a period of time. */
  LATER,
  OPEN;

  /** Returns the stable token in machine-readable formats: lower case. */
  public String token() {
    return name().toLowerCase(Locale.ROOT);
  }
}
