package dev.mooring.explain;

import java.util.Locale;

/**
 * Precedence of a cause: the first rank among an object's causes is shown first. The order is
 * fixed.
 */
public enum CauseRank {
  MISCONFIGURED,
  FAILING,
  WAITING,
  WORKING,
  UNKNOWN,
  FINE;

  public String token() {
    return name().toLowerCase(Locale.ROOT);
  }
}
