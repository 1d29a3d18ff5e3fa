package dev.mooring.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How long operations took, by plugin, kind and end; for metrics. Thread-safe. */
public final class OperationStats {
  /** Upper bounds of the buckets in seconds, as Kubernetes' storage metrics have them. */
  public static final List<Double> BOUNDS =
      List.of(.1, .25, .5, 1., 2.5, 5., 10., 15., 25., 50., 120., 300., 600.);

  /**
   * One sort of operation.
   *
   * @param plugin the plugin's name; CSI volumes as {@code kubernetes.io/csi:<driver>}
   * @param operation what was done, for example {@code volume_attach}
   * @param succeeded how it ended
   * @param migrated whether the volume is an in-tree one that a CSI driver serves
   */
  public record Sort(String plugin, String operation, boolean succeeded, boolean migrated) {
    /** Of volumes that are what they say. */
    public Sort(String plugin, String operation, boolean succeeded) {
      this(plugin, operation, succeeded, false);
    }
  }

  /**
   * How long the operations of a sort took.
   *
   * @param sort which ones
   * @param counts operations per bucket, not accumulated; one more than there are bounds
   * @param sumSeconds all together
   */
  public record Durations(Sort sort, List<Long> counts, double sumSeconds) {
    /** How many there were. */
    public long total() {
      return counts.stream().mapToLong(Long::longValue).sum();
    }
  }

  private static final class Histogram {
    private final List<Double> bounds;
    private final long[] counts;
    private double sum;

    Histogram(List<Double> bounds) {
      this.bounds = bounds;
      this.counts = new long[bounds.size() + 1];
    }

    synchronized void add(double seconds) {
      int at = 0;
      while (at < bounds.size() && seconds > bounds.get(at)) {
        at++;
      }
      counts[at]++;
      sum += seconds;
    }

    synchronized Durations read(Sort sort) {
      List<Long> copy = new ArrayList<>(counts.length);
      for (long count : counts) {
        copy.add(count);
      }
      return new Durations(sort, List.copyOf(copy), sum);
    }
  }

  private final Map<Sort, Histogram> histograms = new ConcurrentHashMap<>();

  private final List<Double> bounds;

  /** Nothing was done. */
  public OperationStats() {
    this(BOUNDS);
  }

  /** Nothing was done; with other upper bounds of the buckets, in seconds. */
  public OperationStats(List<Double> bounds) {
    this.bounds = List.copyOf(bounds);
  }

  /** Counts an operation that took so many nanoseconds. */
  public void took(String plugin, String operation, boolean succeeded, long nanos) {
    took(new Sort(plugin, operation, succeeded), nanos);
  }

  /** Counts an operation of that sort that took so many nanoseconds. */
  public void took(Sort sort, long nanos) {
    histograms.computeIfAbsent(sort, s -> new Histogram(bounds)).add(nanos / 1e9);
  }

  /** All sorts so far. */
  public List<Durations> read() {
    return histograms.entrySet().stream().map(e -> e.getValue().read(e.getKey())).toList();
  }
}
