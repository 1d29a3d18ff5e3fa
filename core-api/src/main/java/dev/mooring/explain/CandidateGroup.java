package dev.mooring.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Candidates that fail the same tests.
 *
 * @param failedTests names of the tests; empty if the candidates pass every test
 * @param examples the first candidates, {@link #MAX_EXAMPLES} at most
 * @param count number of candidates
 */
public record CandidateGroup(List<String> failedTests, List<Candidate> examples, int count) {
  public static final int MAX_EXAMPLES = 2;

  private static final Set<String> DEPENDING =
      Set.of("NoVolume", "ClassIsStatic", "NoNodeForVolumes", "Available");

  public CandidateGroup {
    failedTests = List.copyOf(failedTests);
    examples = List.copyOf(examples);
  }

  /** Groups candidates, in the order of the first candidate of each group. */
  public static List<CandidateGroup> of(List<Candidate> candidates) {
    Map<List<String>, CandidateGroup> groups = new LinkedHashMap<>();
    for (Candidate candidate : candidates) {
      List<String> tests = candidate.failed().stream().map(Candidate.Check::name).toList();
      groups.merge(
          tests,
          new CandidateGroup(tests, List.of(candidate), 1),
          (group, added) -> group.with(candidate));
    }
    return List.copyOf(groups.values());
  }

  private CandidateGroup with(Candidate candidate) {
    List<Candidate> more = new ArrayList<>(examples);
    if (more.size() < MAX_EXAMPLES) {
      more.add(candidate);
    }
    return new CandidateGroup(failedTests, more, count + 1);
  }

  /** Returns whether the reason depends on the candidates. */
  public static boolean isDecisive(Explanation e) {
    return DEPENDING.contains(e.cause().code());
  }
}
