package dev.mooring.console.view;

import java.time.Duration;
import java.util.List;

/**
 * Comparison of the decisions of this process with those of the cluster's own controllers.
 *
 * @param differences the first differences without a known reason
 */
public record DecisionComparison(List<ClassCounts> classes, List<Difference> differences) {
  public DecisionComparison {
    classes = List.copyOf(classes);
    differences = List.copyOf(differences);
  }

  /**
   * Counts of one class of decisions.
   *
   * @param later equal decisions that the cluster's controllers took notably later
   * @param onPurpose deliberate differences
   * @param medianDelay median of the time until the cluster's change
   * @param longDelay 99th percentile of that time
   */
  public record ClassCounts(
      String name,
      long equal,
      long later,
      List<RowCount> onPurpose,
      long unexplained,
      long undecided,
      Duration medianDelay,
      Duration longDelay) {
    public ClassCounts {
      onPurpose = List.copyOf(onPurpose);
    }

    public long onPurposeCount() {
      return onPurpose.stream().mapToLong(RowCount::count).sum();
    }
  }

  /**
   * Deliberate differences of one row.
   *
   * @param row id of the row in docs/differences.md
   */
  public record RowCount(String row, long count) {}

  /**
   * Difference without a known reason.
   *
   * @param decisionClass class of the decision
   * @param object kind and key
   * @param here decision of this process, as a sentence without subject
   * @param cluster what the cluster's controllers did, in the same form
   */
  public record Difference(String decisionClass, String object, String here, String cluster) {}
}
