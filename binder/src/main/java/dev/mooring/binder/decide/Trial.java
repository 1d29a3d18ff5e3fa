package dev.mooring.binder.decide;

import dev.mooring.model.Volume;
import java.util.List;

/**
 * A volume, and every test that it is put to for a claim.
 *
 * @param volume the volume
 * @param outcomes every test and how it ended, in a fixed order
 */
public record Trial(Volume volume, List<Outcome> outcomes) {
  public Trial {
    outcomes = List.copyOf(outcomes);
  }

  /**
   * How a test ended.
   *
   * @param test its name
   * @param passed whether the volume passed
   * @param note why not, as the end of a sentence about the volume; "" if it passed
   */
  public record Outcome(String test, boolean passed, String note) {}
}
