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
  public void addTo(MetricFamilies all) {
    put(all.gauge("workqueue_depth", "Current depth of workqueue"), QueueStats::depth);
    put(
        all.counter("workqueue_adds", "Total number of adds handled by workqueue"),
        QueueStats::adds);
    put(
        all.counter("workqueue_retries", "Total number of retries handled by workqueue"),
        QueueStats::retries);
    put(
        all.gauge(
            "workqueue_unfinished_work_seconds",
            "Seconds of work in progress that work_duration has not seen yet"),
        QueueStats::unfinishedSeconds);
    put(
        all.gauge(
            "workqueue_longest_running_processor_seconds",
            "How long the longest running processor has been running"),
        QueueStats::longestRunningSeconds);
    times(
        all.histogram(
            "workqueue_queue_duration_seconds",
            "How long an item stays in workqueue before it is requested",
            QueueStats.BOUNDS),
        QueueStats::queued);
    times(
        all.histogram(
            "workqueue_work_duration_seconds",
            "How long processing an item from workqueue takes",
            QueueStats.BOUNDS),
        QueueStats::work);
    endings(all);
  }

  private void put(MetricFamilies.Numbers family, ToDoubleFunction<QueueStats> value) {
    queues.forEach(stats -> family.put(value.applyAsDouble(stats), "name", stats.name()));
  }

  private void times(
      MetricFamilies.Histograms family, Function<QueueStats, QueueStats.Histogram> value) {
    for (QueueStats stats : queues) {
      QueueStats.Histogram times = value.apply(stats);
      family.put(times.counts(), times.sumSeconds(), "name", stats.name());
    }
  }

  private void endings(MetricFamilies all) {
    MetricFamilies.Numbers passes =
        all.counter("mooring_reconciles", "Number of reconciles by outcome; 'fault' is a bug");
    MetricFamilies.Numbers restless =
        all.counter(
            "mooring_restless_keys",
            "Number of hot loops: reconciles of a key without an external change, backed off");
    for (QueueStats stats : queues) {
      stats
          .ended()
          .forEach((how, times) -> {
            if (how == KeyOutcome.RESTLESS) {
              restless.put(times, "name", stats.name());
            } else {
              String outcome = how.name().toLowerCase(Locale.ROOT);
              passes.put(times, "name", stats.name(), "outcome", outcome);
            }
          });
    }
  }
}
