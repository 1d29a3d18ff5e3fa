package dev.mooring.binder.decide;

import dev.mooring.model.Volume;
import java.util.List;

/**
 * Volume with the results of all its tests for a claim.
 *
 * @param outcomes results in a fixed order
 */
public record MatchReport(Volume volume, List<TestResult> outcomes) {
  public MatchReport {
    outcomes = List.copyOf(outcomes);
  }

  public record TestResult(String test, boolean passed, String note) {}
}
