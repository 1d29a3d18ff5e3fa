package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.DecisionComparison;
import dev.mooring.console.view.DecisionComparison.ClassCounts;
import dev.mooring.console.view.DecisionComparison.Difference;
import dev.mooring.console.view.DecisionComparison.RowCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Decisions of this process, compared with those of the cluster's own controllers. */
public record ComparisonPage(DecisionComparison comparison) implements ConsolePage {
  static final String ADDRESS = ConsoleSection.ROOT + "shadow";

  @Override
  public String title() {
    return "Shadow";
  }

  @Override
  public String entry() {
    return ADDRESS;
  }

  @Override
  public HtmlNode body() {
    return PageElements.live("comparison")
        .add(
            PageElements.panel("classes", "Decisions by class", classTable()),
            PageElements.panel("differences", "Unexplained differences", differenceTable()),
            PageElements.panel("purposes", "Differences on purpose", purposeTable()));
  }

  private HtmlNode classTable() {
    List<Element> rows = new ArrayList<>();
    for (ClassCounts counts : comparison.classes()) {
      rows.add(
          PageElements.row(
              PageElements.head(HtmlNode.text(counts.name())),
              PageElements.amountCell(counts.equal()),
              PageElements.amountCell(counts.later()),
              PageElements.amountCell(counts.onPurposeCount()),
              PageElements.amountCell(counts.unexplained()),
              PageElements.amountCell(counts.undecided()),
              HtmlNode.of("td", "amount").add(seconds(counts.medianDelay())),
              HtmlNode.of("td", "amount").add(seconds(counts.longDelay()))));
    }
    return rows.isEmpty()
        ? PageElements.quiet("No decision has been compared yet.")
        : PageElements.table(
            "Decisions by class",
            List.of(
                "Decision",
                "Equal",
                "Later",
                "On purpose",
                "Unexplained",
                "Undecided",
                "Median delay",
                "99th percentile"),
            rows);
  }

  private static String seconds(Duration delay) {
    return String.format(Locale.ROOT, "%.2f s", delay.toMillis() / 1000.0);
  }

  private HtmlNode differenceTable() {
    List<Element> rows = new ArrayList<>();
    for (Difference difference : comparison.differences()) {
      rows.add(
          PageElements.row(
              PageElements.head(PageElements.name(difference.object())),
              PageElements.cell(difference.decisionClass()),
              PageElements.wideCell("Mooring " + difference.here()),
              PageElements.wideCell("the cluster " + difference.cluster())));
    }
    return rows.isEmpty()
        ? PageElements.quiet("No difference is unexplained.")
        : PageElements.table(
            "Unexplained differences", List.of("Object", "Decision", "Mooring", "Cluster"), rows);
  }

  private HtmlNode purposeTable() {
    List<Element> rows = new ArrayList<>();
    countsByRow()
        .forEach((row, count) ->
            rows.add(
                PageElements.row(
                    PageElements.head(PageElements.name("docs/differences.md#" + row)),
                    PageElements.amountCell(count))));
    return rows.isEmpty()
        ? PageElements.quiet("No difference is on purpose.")
        : PageElements.table("Differences on purpose", List.of("Row", "Decisions"), rows);
  }

  private Map<String, Long> countsByRow() {
    Map<String, Long> counts = new TreeMap<>();
    comparison.classes().stream()
        .flatMap(oneClass -> oneClass.onPurpose().stream())
        .forEach(row -> counts.merge(row.row(), row.count(), Long::sum));
    return counts;
  }

  @Override
  public Map<String, Object> tree() {
    return JsonTrees.document(
        "kind",
        "ConsoleShadow",
        "classes",
        comparison.classes().stream().map(ComparisonPage::tree).toList(),
        "differences",
        comparison.differences().stream().map(ComparisonPage::tree).toList());
  }

  private static Map<String, Object> tree(ClassCounts counts) {
    return JsonTrees.map(
        "class", counts.name(),
        "equal", counts.equal(),
        "later", counts.later(),
        "onPurpose", counts.onPurpose().stream().map(ComparisonPage::tree).toList(),
        "unexplained", counts.unexplained(),
        "undecided", counts.undecided(),
        "p50Milliseconds", counts.medianDelay().toMillis(),
        "p99Milliseconds", counts.longDelay().toMillis());
  }

  private static Map<String, Object> tree(RowCount row) {
    return JsonTrees.map("row", row.row(), "count", row.count());
  }

  private static Map<String, Object> tree(Difference difference) {
    return JsonTrees.map(
        "class", difference.decisionClass(),
        "object", difference.object(),
        "mooring", difference.here(),
        "cluster", difference.cluster());
  }
}
