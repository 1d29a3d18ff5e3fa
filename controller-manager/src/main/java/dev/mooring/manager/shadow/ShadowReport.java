package dev.mooring.manager.shadow;

import dev.mooring.manager.shadow.pairing.ClassTally;
import dev.mooring.manager.shadow.pairing.DecisionClass;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Results of a shadow.
 *
 * @param classes results by class of decisions
 * @param unexplained the first differences without a known reason
 */
public record ShadowReport(
    Map<DecisionClass, ClassResult> classes, List<UnexplainedDifference> unexplained) {
  /**
   * Results of one class.
   *
   * @param later decisions that the cluster took notably later
   * @param onPurpose deliberate differences by row of docs/differences.md
   * @param typicalDelay median delay of the cluster
   * @param longDelay 99th percentile of the delay
   * @param totalDelay sum of all delays
   */
  public record ClassResult(
      int equal,
      int later,
      Map<String, Integer> onPurpose,
      int unexplained,
      int undecided,
      Duration typicalDelay,
      Duration longDelay,
      Duration totalDelay) {
    static ClassResult of(ClassTally tally) {
      return new ClassResult(
          tally.equal(),
          tally.later(),
          tally.onPurpose(),
          tally.unexplained(),
          tally.undecided(),
          tally.delayPercentile(50),
          tally.delayPercentile(99),
          tally.totalDelay());
    }

    int onPurposeCount() {
      return onPurpose.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  static ShadowReport of(
      Map<DecisionClass, ClassTally> tallies, Collection<UnexplainedDifference> differences) {
    Map<DecisionClass, ClassResult> classes = new TreeMap<>();
    tallies.forEach((decisionClass, tally) -> classes.put(decisionClass, ClassResult.of(tally)));
    return new ShadowReport(classes, List.copyOf(differences));
  }

  public int unexplainedCount() {
    return classes.values().stream().mapToInt(ClassResult::unexplained).sum();
  }

  public int decisionCount() {
    return comparedCount() + classes.values().stream().mapToInt(ClassResult::undecided).sum();
  }

  public int comparedCount() {
    return classes.values().stream()
        .mapToInt(result ->
            result.equal() + result.later() + result.onPurposeCount() + result.unexplained())
        .sum();
  }
}
