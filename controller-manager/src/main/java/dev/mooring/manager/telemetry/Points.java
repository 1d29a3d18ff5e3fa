package dev.mooring.manager.telemetry;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;

/** Figures in the form of the metrics library. */
final class Points {
  private Points() {}

  /** A counter without labels. */
  static CounterSnapshot counter(String name, String help, long value) {
    return CounterSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(counted(Labels.EMPTY, value))
        .build();
  }

  static CounterSnapshot.CounterDataPointSnapshot counted(Labels labels, long count) {
    return CounterSnapshot.CounterDataPointSnapshot.builder().labels(labels).value(count).build();
  }

  static GaugeSnapshot.GaugeDataPointSnapshot gauge(Labels labels, double value) {
    return GaugeSnapshot.GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }

  /**
   * A histogram.
   *
   * @param bounds upper bounds of the buckets
   * @param counts per bucket, not accumulated; one more than there are bounds
   * @param sum of all values
   */
  static HistogramSnapshot.HistogramDataPointSnapshot histogram(
      Labels labels, List<Double> bounds, List<Long> counts, double sum) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    for (int i = 0; i < bounds.size(); i++) {
      buckets.bucket(bounds.get(i), counts.get(i));
    }
    buckets.bucket(Double.POSITIVE_INFINITY, counts.getLast());
    return HistogramSnapshot.HistogramDataPointSnapshot.builder()
        .labels(labels)
        .classicHistogramBuckets(buckets.build())
        .sum(sum)
        .build();
  }
}
