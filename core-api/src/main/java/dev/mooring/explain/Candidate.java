package dev.mooring.explain;

import java.util.List;

/**
 * What might have been taken, with every test that it was put to.
 *
 * @param name its name
 * @param description what it is, in a few words: size, modes, class, phase
 * @param checks every test and its outcome, in a fixed order
 */
public record Candidate(String name, String description, List<Check> checks) {
  public Candidate {
    checks = List.copyOf(checks);
  }

  /**
   * A test.
   *
   * @param name a stable token, such as {@code size}
   * @param passed whether it was passed
   * @param note why not, for people, as the end of a sentence about the candidate ("has 1Gi, not
   *     2Gi"); "" if it was passed
   */
  public record Check(String name, boolean passed, String note) {}

  /** The tests that it failed. */
  public List<Check> failed() {
    return checks.stream().filter(check -> !check.passed()).toList();
  }
}
