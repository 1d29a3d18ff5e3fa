package dev.mooring.manager.explain;

import dev.mooring.explain.Candidate;
import dev.mooring.explain.CandidateGroup;
import dev.mooring.explain.Explanation;
import dev.mooring.model.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Candidates of an explanation: those that fail the same tests as one line, or every test. */
final class CandidateText {
  private static final int MAX_LINES = 5;

  private CandidateText() {}

  static void put(TerminalLines lines, Explanation e, TextLayout layout) {
    List<Candidate> candidates = e.evidence().candidates();
    if (candidates.isEmpty()) {
      return;
    }
    String noun =
        e.subject().kind().equals(Kind.VOLUME)
            ? "claim"
            : e.subject().kind().equals(Kind.POD) ? "node" : "volume";
    if (layout.showsTests()) {
      lines.addBlankLine();
      lines.put("", capitalize(noun) + "s, best match first");
      candidates.forEach(candidate -> putTests(lines, candidate));
    } else {
      putGroups(lines, noun, candidates, CandidateGroup.isDecisive(e));
    }
  }

  private static String capitalize(String noun) {
    return Character.toUpperCase(noun.charAt(0)) + noun.substring(1);
  }

  private static void putTests(TerminalLines lines, Candidate candidate) {
    lines.put("  ", candidate.name() + " (" + candidate.description() + ")");
    candidate
        .failed()
        .forEach(check -> lines.put("    no  %-16s".formatted(check.name()), check.message()));
    String passedChecks =
        candidate.checks().stream()
            .filter(Candidate.Check::isPassed)
            .map(Candidate.Check::name)
            .collect(Collectors.joining(", "));
    if (!passedChecks.isEmpty()) {
      lines.put("    ok  ", passedChecks);
    }
  }

  private static void putGroups(
      TerminalLines lines, String noun, List<Candidate> candidates, boolean isDepending) {
    List<String> texts = new ArrayList<>();
    int shown = 0;
    for (CandidateGroup group : CandidateGroup.of(candidates)) {
      if (texts.size() < MAX_LINES && (isDepending || group.failedTests().isEmpty())) {
        texts.addAll(describe(group, noun));
        shown += group.count();
      }
    }
    int hidden = candidates.size() - shown;
    if (hidden > 0) {
      texts.add(
          count(hidden, noun) + (hidden == 1 ? " does" : " do") + " not suit (--tests shows why)");
    }
    String heading = "%-8s".formatted(capitalize(noun) + "s");
    for (String text : texts) {
      lines.put(heading, text);
      heading = " ".repeat(heading.length());
    }
  }

  private static List<String> describe(CandidateGroup group, String noun) {
    if (group.count() <= CandidateGroup.MAX_EXAMPLES) {
      return group.examples().stream()
          .map(candidate -> candidate.name() + " " + describeFailures(candidate))
          .toList();
    }
    Candidate example = group.examples().getFirst();
    if (group.failedTests().isEmpty()) {
      return List.of(
          count(group.count(), noun) + " pass every test, for example " + example.name());
    }
    return List.of(
        count(group.count(), noun)
            + " fail only "
            + String.join(" and ", group.failedTests())
            + ", for example "
            + example.name()
            + ": "
            + describeFailures(example));
  }

  private static String describeFailures(Candidate candidate) {
    return candidate.failed().isEmpty()
        ? "passes every test"
        : candidate.failed().stream()
            .map(Candidate.Check::message)
            .collect(Collectors.joining(" and "));
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
