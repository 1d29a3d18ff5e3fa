package dev.mooring.manager.shadow;

import dev.mooring.console.view.DecisionComparison;
import dev.mooring.console.view.DecisionComparison.ClassCounts;
import dev.mooring.console.view.DecisionComparison.Difference;
import dev.mooring.console.view.DecisionComparison.RowCount;
import dev.mooring.manager.shadow.ShadowReport.ClassResult;
import java.util.ArrayList;
import java.util.List;

final class ShadowPage {
  private ShadowPage() {}

  static DecisionComparison of(ShadowReport report) {
    List<ClassCounts> classes = new ArrayList<>();
    report
        .classes()
        .forEach((decisionClass, result) -> classes.add(count(decisionClass.toString(), result)));
    return new DecisionComparison(
        classes, report.unexplained().stream().map(ShadowPage::describe).toList());
  }

  private static ClassCounts count(String name, ClassResult result) {
    return new ClassCounts(
        name,
        result.equal(),
        result.later(),
        result.onPurpose().entrySet().stream()
            .map(row -> new RowCount(row.getKey(), row.getValue()))
            .toList(),
        result.unexplained(),
        result.undecided(),
        result.typicalDelay(),
        result.longDelay());
  }

  private static Difference describe(UnexplainedDifference difference) {
    return new Difference(
        difference.finding().decisionClass().toString(),
        difference.finding().target(),
        DifferenceText.shadowSide(difference.finding()),
        DifferenceText.clusterSide(difference.finding()));
  }
}
