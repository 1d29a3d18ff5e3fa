package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;

/**
 * What to think of a CSIDriver that needed no attaching and that the cache has lost. Without one
 * volumes are attached, so to take it for gone creates an attachment for every pod that uses it. It
 * is made anew within a second as often as it is really gone.
 */
public final class DriverCheck {
  /** What to think. */
  public enum Absence {
    /** It is gone: its volumes are attached, as those of any unknown driver. */
    GONE,
    /** It is there, and says now that its volumes are attached. */
    CHANGED,
    /** It is there, or nobody could say: as before, until it is asked for again. */
    DOUBTFUL
  }

  private DriverCheck() {}

  /**
   * Decides.
   *
   * @param attachRequired what the server's CSIDriver says
   */
  public static Absence decide(Fact<Boolean> attachRequired) {
    return switch (attachRequired) {
      case Fact.Absent<Boolean>() -> Absence.GONE;
      case Fact.Present<Boolean>(Boolean required) -> required ? Absence.CHANGED : Absence.DOUBTFUL;
      case Fact.NotAsked<Boolean> _, Fact.Unknown<Boolean> _ -> Absence.DOUBTFUL;
    };
  }
}
