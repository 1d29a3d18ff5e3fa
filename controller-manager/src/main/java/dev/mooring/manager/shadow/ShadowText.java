package dev.mooring.manager.shadow;

import dev.mooring.manager.shadow.ShadowReport.ClassResult;
import dev.mooring.text.TextTable;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Formats a report as text. */
public final class ShadowText {
  private static final String DOCUMENT = "docs/differences.md#";

  private ShadowText() {}

  public static String format(ShadowReport report, int width) {
    StringBuilder text = new StringBuilder();
    TextTable table =
        new TextTable(
            width,
            "DECISION",
            "EQUAL",
            "LATER",
            "ON PURPOSE",
            "UNEXPLAINED",
            "UNDECIDED",
            "P50",
            "P99");
    report
        .classes()
        .forEach((decisionClass, result) -> addRow(decisionClass.toString(), result, table));
    for (int column = 1; column <= 7; column++) {
      table.alignRight(column);
    }
    text.append(report.classes().isEmpty() ? "no decisions\n" : table.toString());
    rows(report)
        .forEach((row, count) ->
            text.append('\n').append(count).append(" on purpose: ").append(DOCUMENT).append(row));
    for (UnexplainedDifference difference : report.unexplained()) {
      text.append(describe(difference));
    }
    text.append('\n').append(summary(report)).append('\n');
    return text.toString();
  }

  private static void addRow(String name, ClassResult result, TextTable table) {
    table.row(
        name,
        Integer.toString(result.equal()),
        Integer.toString(result.later()),
        Integer.toString(result.onPurposeCount()),
        Integer.toString(result.unexplained()),
        Integer.toString(result.undecided()),
        seconds(result.typicalDelay()),
        seconds(result.longDelay()));
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.2f s", duration.toMillis() / 1000.0);
  }

  private static Map<String, Integer> rows(ShadowReport report) {
    return report.classes().values().stream()
        .flatMap(result -> result.onPurpose().entrySet().stream())
        .collect(
            Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Integer::sum, TreeMap::new));
  }

  private static String describe(UnexplainedDifference difference) {
    return """

    unexplained: %s of %s
      Mooring %s
      the cluster %s
    """
        .formatted(
            difference.finding().decisionClass(),
            difference.finding().target(),
            DifferenceText.shadowSide(difference.finding()),
            DifferenceText.clusterSide(difference.finding()));
  }

  public static String summary(ShadowReport report) {
    int unexplained = report.unexplainedCount();
    return "%d decisions compared, %d unexplained; nothing was written"
        .formatted(report.decisionCount(), unexplained);
  }
}
