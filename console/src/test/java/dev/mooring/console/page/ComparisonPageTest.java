package dev.mooring.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.TestConsole;
import dev.mooring.console.view.DecisionComparison;
import dev.mooring.console.view.DecisionComparison.ClassCounts;
import dev.mooring.console.view.DecisionComparison.Difference;
import dev.mooring.console.view.DecisionComparison.RowCount;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonPageTest {
  private static final DecisionComparison COMPARISON =
      new DecisionComparison(
          List.of(
              new ClassCounts(
                  "bind",
                  41,
                  2,
                  List.of(new RowCount("rule-1", 3)),
                  1,
                  4,
                  Duration.ofMillis(20),
                  Duration.ofMillis(1400))),
          List.of(
              new Difference(
                  "bind",
                  "PersistentVolume <pv-1>",
                  "sets spec.claimRef=default/c",
                  "changes nothing")));

  @Test
  void page_comparison_showsCountsRowsAndBothDecisions() {
    try (TestConsole console = new TestConsole()) {
      console.cluster().setComparison(COMPARISON);
      assertThat(console.text("shadow"))
          .contains(" bind 41 2 3 1 4 0.02 s 1.40 s ")
          .contains("PersistentVolume &lt;pv-1&gt; bind Mooring sets spec.claimRef=default/c")
          .contains("the cluster changes nothing")
          .contains("docs/differences.md#rule-1 3");
      assertThat(console.page("shadow"))
          .contains("<a href=\"/console/shadow\" aria-current=\"page\">Shadow</a>");
      assertThat(console.page("plugins")).contains("<a href=\"/console/shadow\">Shadow</a>");
    }
  }

  @Test
  void json_comparison_hasCountsAndDifferences() {
    try (TestConsole console = new TestConsole()) {
      console.cluster().setComparison(COMPARISON);
      Map<String, Object> tree = console.json("shadow.json");
      assertThat(tree.get("classes"))
          .asString()
          .contains("class=bind, equal=41, later=2", "row=rule-1, count=3", "p99Milliseconds=1400");
      assertThat(tree.get("differences")).asString().contains("cluster=changes nothing");
    }
  }

  @Test
  void page_nothingCompared_hasEmptyPanels() {
    try (TestConsole console = new TestConsole()) {
      console.cluster().setComparison(new DecisionComparison(List.of(), List.of()));
      assertThat(console.text("shadow"))
          .contains("No decision has been compared yet.", "No difference is unexplained.");
    }
  }

  @Test
  void page_processWithoutComparison_isAbsent() {
    try (TestConsole console = new TestConsole()) {
      assertThat(console.text("shadow")).contains("There is no such page.");
      assertThat(console.page("plugins")).doesNotContain("console/shadow");
    }
  }
}
