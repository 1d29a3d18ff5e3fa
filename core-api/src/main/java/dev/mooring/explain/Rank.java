package dev.mooring.explain;

import java.util.Locale;

/**
 * How a reason stands among others: where an object has several, the one of the first rank is told
 * first. The order is fixed.
 */
public enum Rank {
  /** Nothing will happen before a person has changed something. */
  MISCONFIGURED,
  /** Something was tried and failed, and is tried again. */
  FAILING,
  /** Somebody or something else has to come first. */
  WAITING,
  /** It is being done. */
  WORKING,
  /** It cannot be told: something could not be read. */
  UNKNOWN,
  /** Nothing waits. */
  FINE;

  /** The stable token of the formats that programs read: the name in lower case. */
  public String token() {
    return name().toLowerCase(Locale.ROOT);
  }
}
