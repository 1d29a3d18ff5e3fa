package dev.mooring.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Durations of operations by plugin, operation and result; for metrics. Thread-safe. */
public final class OperationStats {
  /** Upper bounds of the buckets in seconds, equal to Kubernetes' storage metrics. */
  public static final List<Double> BOUNDS =
      List.of(.1, .25, .5, 1., 2.5, 5., 10., 15., 25., 50., 120., 300., 600.);

  /**
   * Labels of an operation.
   *
   * @param plugin plugin name; {@code kubernetes.io/csi:<driver>} for CSI volumes
   * @param operation for example {@code volume_attach}
   * @param migrated whether a CSI driver serves an in-tree volume
   * @param source kind of the object that a volume is filled from; "" for none
   */
  public record Labels(
      String plugin, String operation, boolean succeeded, boolean migrated, String source) {
    public Labels(String plugin, String operation, boolean succeeded, boolean migrated) {
      this(plugin, operation, succeeded, migrated, "");
    }

    public Labels(String plugin, String operation, boolean succeeded) {
      this(plugin, operation, succeeded, false);
    }
  }

  /**
   * Histogram of durations.
   *
   * @param counts operations per bucket, not cumulative; one element more than the bounds
   */
  public record Durations(Labels labels, List<Long> counts, double sumSeconds) {
    public long total() {
      return counts.stream().mapToLong(Long::longValue).sum();
    }
  }

  private static final class Histogram {
    private final List<Double> bounds;
    private final long[] counts;
    private double sumSeconds;

    Histogram(List<Double> bounds) {
      this.bounds = bounds;
      this.counts = new long[bounds.size() + 1];
    }

    synchronized void add(double seconds) {
      int bucket = 0;
      while (bucket < bounds.size() && seconds > bounds.get(bucket)) {
        bucket++;
      }
      counts[bucket]++;
      sumSeconds += seconds;
    }

    synchronized Durations read(Labels labels) {
      List<Long> copy = new ArrayList<>(counts.length);
      for (long count : counts) {
        copy.add(count);
      }
      return new Durations(labels, List.copyOf(copy), sumSeconds);
    }
  }

  private final Map<Labels, Histogram> histograms = new ConcurrentHashMap<>();

  private final List<Double> bounds;

  public OperationStats() {
    this(BOUNDS);
  }

  public OperationStats(List<Double> bounds) {
    this.bounds = List.copyOf(bounds);
  }

  public void recordDuration(String plugin, String operation, boolean succeeded, long nanos) {
    recordDuration(new Labels(plugin, operation, succeeded), nanos);
  }

  public void recordDuration(Labels labels, long nanos) {
    histograms.computeIfAbsent(labels, s -> new Histogram(bounds)).add(nanos / 1e9);
  }

  public List<Durations> read() {
    return histograms.entrySet().stream().map(e -> e.getValue().read(e.getKey())).toList();
  }
}
