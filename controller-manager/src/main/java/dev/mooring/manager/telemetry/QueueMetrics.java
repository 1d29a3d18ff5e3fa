package dev.mooring.manager.telemetry;

import dev.mooring.workqueue.Ended;
import dev.mooring.workqueue.QueueStats;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * What work queues count, by queue: under the names of client-go, and how keys' processing ended.
 */
record QueueMetrics(List<QueueStats> queues) {
  /** Adds it. */
  void add(MetricSnapshots.Builder all) {
    all.metricSnapshot(gauge("workqueue_depth", "Current depth of workqueue", QueueStats::depth))
        .metricSnapshot(
            counter(
                "workqueue_adds", "Total number of adds handled by workqueue", QueueStats::adds))
        .metricSnapshot(
            counter(
                "workqueue_retries",
                "Total number of retries handled by workqueue",
                QueueStats::retries))
        .metricSnapshot(
            gauge(
                "workqueue_unfinished_work_seconds",
                "Seconds of work in progress that work_duration has not seen yet",
                QueueStats::unfinishedSeconds))
        .metricSnapshot(
            gauge(
                "workqueue_longest_running_processor_seconds",
                "How long the longest running processor has been running",
                QueueStats::longestRunningSeconds))
        .metricSnapshot(
            histogram(
                "workqueue_queue_duration_seconds",
                "How long an item stays in workqueue before it is requested",
                QueueStats::queued))
        .metricSnapshot(
            histogram(
                "workqueue_work_duration_seconds",
                "How long processing an item from workqueue takes",
                QueueStats::work));
    endings(all);
  }

  private static Labels labels(QueueStats stats) {
    return Labels.of("name", stats.name());
  }

  private GaugeSnapshot gauge(String name, String help, ToDoubleFunction<QueueStats> value) {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
    queues.forEach(
        stats -> gauge.dataPoint(Points.gauge(labels(stats), value.applyAsDouble(stats))));
    return gauge.build();
  }

  private CounterSnapshot counter(String name, String help, ToLongFunction<QueueStats> value) {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
    queues.forEach(
        stats -> counter.dataPoint(Points.counted(labels(stats), value.applyAsLong(stats))));
    return counter.build();
  }

  private HistogramSnapshot histogram(
      String name, String help, Function<QueueStats, QueueStats.Histogram> value) {
    HistogramSnapshot.Builder histogram = HistogramSnapshot.builder().name(name).help(help);
    for (QueueStats stats : queues) {
      QueueStats.Histogram times = value.apply(stats);
      histogram.dataPoint(
          Points.histogram(labels(stats), QueueStats.BOUNDS, times.counts(), times.sumSeconds()));
    }
    return histogram.build();
  }

  private void endings(MetricSnapshots.Builder all) {
    CounterSnapshot.Builder passes =
        CounterSnapshot.builder()
            .name("mooring_reconciles")
            .help("How often the processing of a key ended how; a fault is a bug");
    CounterSnapshot.Builder restless =
        CounterSnapshot.builder()
            .name("mooring_restless_keys")
            .help("How often a key moved although nothing changed for it, and was slowed down");
    for (QueueStats stats : queues) {
      stats
          .ended()
          .forEach((how, times) -> {
            if (how == Ended.RESTLESS) {
              restless.dataPoint(Points.counted(labels(stats), times));
            } else {
              passes.dataPoint(
                  Points.counted(
                      Labels.of(
                          "name", stats.name(), "outcome", how.name().toLowerCase(Locale.ROOT)),
                      times));
            }
          });
    }
    all.metricSnapshot(passes.build()).metricSnapshot(restless.build());
  }
}
