package dev.mooring.manager.telemetry;

import dev.mooring.workqueue.KeyOutcome;
import dev.mooring.workqueue.QueueStats;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Metrics of work queues with client-go's names, and outcomes of reconciles. */
public record QueueMetrics(List<QueueStats> queues) implements MetricsSource {
  @Override
  public void addTo(MetricFamilies families) {
    putNumbers(families.gauge("workqueue_depth", "Current depth of workqueue"), QueueStats::depth);
    putNumbers(
        families.counter("workqueue_adds", "Total number of adds handled by workqueue"),
        QueueStats::adds);
    putNumbers(
        families.counter("workqueue_retries", "Total number of retries handled by workqueue"),
        QueueStats::retries);
    putNumbers(
        families.gauge(
            "workqueue_unfinished_work_seconds",
            "Seconds of work in progress that work_duration has not seen yet"),
        QueueStats::unfinishedSeconds);
    putNumbers(
        families.gauge(
            "workqueue_longest_running_processor_seconds",
            "How long the longest running processor has been running"),
        QueueStats::longestRunningSeconds);
    putHistograms(
        families.histogram(
            "workqueue_queue_duration_seconds",
            "How long an item stays in workqueue before it is requested",
            QueueStats.BOUNDS),
        QueueStats::queuedTime);
    putHistograms(
        families.histogram(
            "workqueue_work_duration_seconds",
            "How long processing an item from workqueue takes",
            QueueStats.BOUNDS),
        QueueStats::processingTime);
    addOutcomes(families);
  }

  private void putNumbers(MetricFamilies.Numbers family, ToDoubleFunction<QueueStats> value) {
    queues.forEach(stats -> family.put(value.applyAsDouble(stats), "name", stats.name()));
  }

  private void putHistograms(
      MetricFamilies.Histograms family, Function<QueueStats, QueueStats.Histogram> value) {
    for (QueueStats stats : queues) {
      QueueStats.Histogram histogram = value.apply(stats);
      family.put(histogram.counts(), histogram.sumSeconds(), "name", stats.name());
    }
  }

  private void addOutcomes(MetricFamilies families) {
    MetricFamilies.Numbers reconciles =
        families.counter("mooring_reconciles", "Number of reconciles by outcome; 'fault' is a bug");
    MetricFamilies.Numbers hotLoops =
        families.counter(
            "mooring_restless_keys",
            "Number of hot loops: reconciles of a key without an external change, backed off");
    for (QueueStats stats : queues) {
      stats
          .outcomes()
          .forEach((outcome, count) -> {
            if (outcome == KeyOutcome.RESTLESS) {
              hotLoops.put(count, "name", stats.name());
            } else {
              String label = outcome.name().toLowerCase(Locale.ROOT);
              reconciles.put(count, "name", stats.name(), "outcome", label);
            }
          });
    }
  }
}
