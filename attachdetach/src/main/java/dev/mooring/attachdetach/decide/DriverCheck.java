package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;

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
    UNCONFIRMED
  }

  private DriverCheck() {}

  public static Step<DriverAbsence> decide(String driver, LiveFacts live) {
    ObjectKey key = ObjectKey.cluster(driver);
    return switch (live.of(Kind.CSI_DRIVER, key)) {
      case Fact.NotAsked<CsiDriver> _ -> Step.ask(Kind.CSI_DRIVER, key);
      case Fact.Absent<CsiDriver> _ -> Step.decided(DriverAbsence.GONE);
      case Fact.Present<CsiDriver>(CsiDriver current) ->
          Step.decided(
              current.attachRequired() ? DriverAbsence.CHANGED : DriverAbsence.UNCONFIRMED);
      case Fact.Unknown<CsiDriver> _ -> Step.decided(DriverAbsence.UNCONFIRMED);
    };
  }
}
