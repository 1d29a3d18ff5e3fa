package dev.mooring.explain;

import java.util.List;

/**
 * Candidate of a choice, with every check.
 *
 * @param description size, modes, class and phase in a few words
 * @param checks all checks in a fixed order
 */
public record Candidate(String name, String description, List<Check> checks) {
  public Candidate {
    checks = List.copyOf(checks);
  }

  /**
   * Check of a candidate.
   *
   * @param name stable token, for example {@code size}
   * @param message predicate of a sentence about the candidate ("has 1Gi, not 2Gi"); "" if passed
   */
  public record Check(String name, boolean isPassed, String message) {}

  public List<Check> failed() {
    return checks.stream().filter(check -> !check.isPassed()).toList();
  }
}
