package dev.mooring.manager.doctor;

import dev.mooring.explain.CauseRank;
import dev.mooring.explain.CauseSentence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Check of snapshots, groups of snapshots, and their contents and classes.
 *
 * @param objects number of the objects
 * @param waiting explanations of those that wait, the most urgent first
 * @param unread kinds that could not be read
 * @param unserved kinds that the API server does not serve
 */
record SnapshotCheck(
    int objects, List<Explanation> waiting, List<UnreadableKind> unread, List<Kind<?>> unserved) {
  private static final String CHECK = "snapshots";
  private static final int SHOWN = 3;

  List<CheckFinding> results() {
    List<CheckFinding> findings = new ArrayList<>();
    for (UnreadableKind kind : unread) {
      findings.add(
          CheckFinding.warn(
              CHECK,
              "not checked: cannot list " + kind.kind().plural() + ": " + kind.error(),
              "run the command as a user who may list these objects"));
    }
    List<Explanation> problems = waiting.stream().filter(SnapshotCheck::isProblem).toList();
    for (Explanation problem : problems.subList(0, Math.min(SHOWN, problems.size()))) {
      findings.add(
          CheckFinding.warn(
              CHECK,
              problem.subject() + ": " + CauseSentence.of(problem),
              CauseSentence.findRemedy(problem)));
    }
    if (problems.size() > SHOWN) {
      findings.add(
          CheckFinding.warn(
              CHECK, problems.size() - SHOWN + " more have problems", "mooring explain -A"));
    }
    if (findings.isEmpty()) {
      findings.add(CheckFinding.ok(CHECK, describe()));
    }
    return findings;
  }

  private static boolean isProblem(Explanation explanation) {
    CauseRank rank = explanation.cause().rank();
    return rank == CauseRank.MISCONFIGURED || rank == CauseRank.FAILING;
  }

  private String describe() {
    String count = objects == 1 ? "1 object" : objects + " objects";
    String waitingText = waiting.isEmpty() ? "none waits" : waiting.size() + " wait";
    String unservedText = unserved.stream().map(Kind::plural).collect(Collectors.joining(", "));
    return (objects == 0 ? "no objects" : count + ", " + waitingText)
        + (unserved.isEmpty() ? "" : "; the API server does not serve " + unservedText);
  }
}
