package dev.mooring.explain;

import java.util.Locale;

/** When a next step is done, as far as that can be told by somebody who does not do it. */
public enum Timing {
  /** Nothing is in its way: whoever does it does it at once, if he is there. */
  AT_ONCE,
  /** The same, unless the flags of who does it switch it off, which nobody else can see. */
  UNLESS_OFF,
  /** It failed, and is done again: after a pause, and at once by who has just been started. */
  AGAIN,
  /** Something else comes first, or a time has to pass. */
  LATER,
  /** It cannot be told. */
  OPEN;

  /** The stable token of the formats that programs read: the name in lower case. */
  public String token() {
    return name().toLowerCase(Locale.ROOT);
  }
}
