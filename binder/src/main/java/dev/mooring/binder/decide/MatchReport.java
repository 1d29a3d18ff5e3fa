package dev.mooring.binder.decide;

import dev.mooring.model.Volume;
import java.util.List;

/**
 * Volume with the results of all its tests for a claim.
 *
 * @param results results in a fixed order
 */
public record MatchReport(Volume volume, List<TestResult> results) {
  public MatchReport {
    results = List.copyOf(results);
  }

  public record TestResult(String test, boolean passed, String message) {}
}
