package dev.mooring.manager.telemetry;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Metric families of one scrape. Labels alternate names and values. Not thread-safe. */
public final class MetricFamilies {
  @FunctionalInterface
  public interface Numbers {
    void put(double value, String... labels);
  }

  @FunctionalInterface
  public interface Histograms {
    /**
     * Adds a histogram.
     *
     * @param counts non-cumulative count per bucket; one more than there are bounds
     * @param sum sum of all values
     */
    void put(List<Long> counts, double sum, String... labels);
  }

  @FunctionalInterface
  public interface Sums {
    void put(long count, double sum, String... labels);
  }

  private final List<Supplier<MetricSnapshot>> families = new ArrayList<>();

  public Numbers gauge(String name, String help) {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
    families.add(gauge::build);
    return (value, labels) ->
        gauge.dataPoint(
            GaugeSnapshot.GaugeDataPointSnapshot.builder()
                .labels(Labels.of(labels))
                .value(value)
                .build());
  }

  public Numbers counter(String name, String help) {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
    families.add(counter::build);
    return (value, labels) ->
        counter.dataPoint(
            CounterSnapshot.CounterDataPointSnapshot.builder()
                .labels(Labels.of(labels))
                .value(value)
                .build());
  }

  /** Adds a gauge {@code NAME_info} with value 1, whose labels carry the information. */
  public void info(String name, String help, String... labels) {
    families.add(() ->
        InfoSnapshot.builder()
            .name(name)
            .help(help)
            .dataPoint(
                InfoSnapshot.InfoDataPointSnapshot.builder().labels(Labels.of(labels)).build())
            .build());
  }

  /** Adds a summary without quantiles. */
  public Sums summary(String name, String help) {
    SummarySnapshot.Builder summary = SummarySnapshot.builder().name(name).help(help);
    families.add(summary::build);
    return (count, sum, labels) ->
        summary.dataPoint(
            SummarySnapshot.SummaryDataPointSnapshot.builder()
                .labels(Labels.of(labels))
                .count(count)
                .sum(sum)
                .build());
  }

  /** Adds a counter without labels. */
  public void counter(String name, String help, long value) {
    counter(name, help).put(value);
  }

  public Histograms histogram(String name, String help, List<Double> bounds) {
    HistogramSnapshot.Builder histogram = HistogramSnapshot.builder().name(name).help(help);
    families.add(histogram::build);
    return (counts, sum, labels) -> {
      ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
      for (int i = 0; i < bounds.size(); i++) {
        buckets.bucket(bounds.get(i), counts.get(i));
      }
      buckets.bucket(Double.POSITIVE_INFINITY, counts.getLast());
      histogram.dataPoint(
          HistogramSnapshot.HistogramDataPointSnapshot.builder()
              .labels(Labels.of(labels))
              .classicHistogramBuckets(buckets.build())
              .sum(sum)
              .build());
    };
  }

  MetricSnapshots snapshots() {
    return new MetricSnapshots(families.stream().map(Supplier::get).toList());
  }
}
