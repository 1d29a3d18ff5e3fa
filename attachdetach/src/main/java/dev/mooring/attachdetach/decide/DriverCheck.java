package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;

/**
 * Decides what a missing CSIDriver means, if its volumes needed no attachment and the cache has
 * lost it. Volumes of an unknown driver are attached, so a wrong "gone" creates an attachment for
 * every pod with such a volume. CSIDrivers are often deleted and created again within a second.
 */
public final class DriverCheck {
  public enum DriverAbsence {
    // the CSIDriver is gone: its volumes are attached like those of any unknown driver
    GONE,
    // the CSIDriver exists, and its volumes need attachments now
    CHANGED,
    // the CSIDriver exists unchanged, or the server did not answer: keep the old answer and ask
    // again
    DOUBTFUL
  }

  private DriverCheck() {}

  public static DriverAbsence decide(Fact<Boolean> attachRequired) {
    return switch (attachRequired) {
      case Fact.Absent<Boolean>() -> DriverAbsence.GONE;
      case Fact.Present<Boolean>(Boolean required) ->
          required ? DriverAbsence.CHANGED : DriverAbsence.DOUBTFUL;
      case Fact.NotAsked<Boolean> _, Fact.Unknown<Boolean> _ -> DriverAbsence.DOUBTFUL;
    };
  }
}
