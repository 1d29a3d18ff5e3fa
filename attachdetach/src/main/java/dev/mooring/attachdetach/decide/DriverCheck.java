package dev.mooring.attachdetach.decide;

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
  public static Absence decide(Live<Boolean> attachRequired) {
    return switch (attachRequired) {
      case Live.Absent<Boolean>() -> Absence.GONE;
      case Live.Found<Boolean>(Boolean required) -> required ? Absence.CHANGED : Absence.DOUBTFUL;
      case Live.NotAsked<Boolean> _, Live.Unknown<Boolean> _ -> Absence.DOUBTFUL;
    };
  }
}
