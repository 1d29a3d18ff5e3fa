package dev.mooring.manager.shadow;

import dev.mooring.manager.shadow.pairing.FactKey;
import dev.mooring.manager.shadow.pairing.PairedDifference;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes differences for people. */
final class DifferenceText {
  private DifferenceText() {}

  static String summary(PairedDifference finding) {
    return finding.decisionClass()
        + " of "
        + finding.target()
        + ": Mooring "
        + shadowSide(finding)
        + "; the cluster "
        + clusterSide(finding);
  }

  static String shadowSide(PairedDifference finding) {
    return finding
            .intent()
            .map(intent -> "sets " + describe(intent.changes()))
            .orElse("changes nothing")
        + finding.decisions().stream()
            .map(DifferenceText::describe)
            .collect(Collectors.joining(", ", " (", ")"));
  }

  private static String describe(ActionOrigin origin) {
    return Stream.of(origin.controller(), origin.key(), origin.decision(), origin.reason())
        .filter(word -> !word.isEmpty())
        .collect(Collectors.joining(" "));
  }

  static String clusterSide(PairedDifference finding) {
    return finding.change().isPresent() ? "sets " + describe(finding.facts()) : "changes nothing";
  }

  private static String describe(Map<FactKey, String> facts) {
    return new TreeMap<>(facts)
        .entrySet().stream()
            .map(fact ->
                fact.getKey().property()
                    + "="
                    + (fact.getValue().isEmpty() ? "none" : fact.getValue()))
            .collect(Collectors.joining(", "));
  }
}
