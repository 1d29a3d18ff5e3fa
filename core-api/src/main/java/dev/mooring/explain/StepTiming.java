package dev.mooring.explain;

import java.util.Locale;

/** Time of the next step, as far as an observer can predict it. */
public enum StepTiming {
  AT_ONCE,
  /** At once, unless a flag of the actor disables it; observers cannot see flags. */
  UNLESS_OFF,
  /** Retry after a back-off; at once if the actor has just started. */
  AGAIN,
  LATER,
  OPEN;

  public String token() {
    return name().toLowerCase(Locale.ROOT);
  }
}
