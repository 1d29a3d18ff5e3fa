package dev.mooring.manager.shadow;

import dev.mooring.manager.shadow.pairing.DecisionClass;
import dev.mooring.manager.telemetry.MetricFamilies;
import dev.mooring.manager.telemetry.MetricsSource;
import java.util.Map;

/** Metrics of a comparison of decisions. */
public record ShadowMetrics(ShadowSession shadow) implements MetricsSource {
  @Override
  public void addTo(MetricFamilies families) {
    MetricFamilies.Numbers decisions =
        families.counter(
            "mooring_shadow_decisions",
            "Number of decisions compared with those of the cluster's controllers, by result.");
    MetricFamilies.Numbers rows =
        families.counter(
            "mooring_shadow_differences_on_purpose",
            "Number of deliberate differences, by row of docs/differences.md.");
    MetricFamilies.Sums delays =
        families.summary(
            "mooring_shadow_delay_seconds",
            "Time from the decision to the equal change of the cluster's controllers.");
    for (Map.Entry<DecisionClass, ShadowReport.ClassResult> entry :
        shadow.report().classes().entrySet()) {
      String name = entry.getKey().toString();
      ShadowReport.ClassResult result = entry.getValue();
      decisions.put(result.equal(), "class", name, "result", "equal");
      decisions.put(result.later(), "class", name, "result", "later");
      decisions.put(result.onPurposeCount(), "class", name, "result", "on-purpose");
      decisions.put(result.unexplained(), "class", name, "result", "unexplained");
      decisions.put(result.undecided(), "class", name, "result", "undecided");
      result.onPurpose().forEach((row, count) -> rows.put(count, "class", name, "row", row));
      delays.put(
          result.equal() + result.later(), result.totalDelay().toNanos() / 1e9, "class", name);
    }
  }
}
