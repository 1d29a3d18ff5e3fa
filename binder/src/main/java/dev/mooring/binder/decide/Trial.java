package dev.mooring.binder.decide;

import dev.mooring.model.Volume;
import java.util.List;

/**
 * Volume with the results of all its tests for a claim.
 *
 * @param outcomes results in a fixed order
 */
public record Trial(Volume volume, List<Outcome> outcomes) {
  public Trial {
    outcomes = List.copyOf(outcomes);
  }

  /**
   * Result of a test.
   *
   * @param note the reason of a failure, as the end of a sentence about the volume; "" if it passed
   */
  public record Outcome(String test, boolean passed, String note) {}
}
