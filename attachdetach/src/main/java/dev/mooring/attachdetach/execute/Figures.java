package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.Step.Grounds;
import dev.mooring.attachdetach.decide.VolumeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What was done so far, counted for metrics. Thread-safe. */
public final class Figures {
  /** Upper bounds of the durations' buckets in seconds, as Kubernetes has them. */
  public static final List<Double> BOUNDS =
      List.of(.1, .25, .5, 1., 2.5, 5., 10., 15., 25., 50., 120., 300., 600.);

  /**
   * One sort of operation.
   *
   * @param plugin the plugin, CSI volumes by driver
   * @param operation {@code volume_attach}, {@code volume_detach}…
   * @param succeeded how it ended
   */
  public record Sort(String plugin, String operation, boolean succeeded) {}

  /**
   * How long operations of a sort took.
   *
   * @param sort which ones
   * @param counts per bucket, not accumulated; one more than there are bounds
   * @param sumSeconds all together
   */
  public record Durations(Sort sort, List<Long> counts, double sumSeconds) {}

  private static final class Histogram {
    private final long[] counts = new long[BOUNDS.size() + 1];
    private double sum;

    synchronized void add(double seconds) {
      int at = 0;
      while (at < BOUNDS.size() && seconds > BOUNDS.get(at)) {
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
      return new Durations(sort, copy, sum);
    }
  }

  private final Map<Sort, Histogram> durations = new ConcurrentHashMap<>();
  private final Map<Grounds, LongAdder> forced = new ConcurrentHashMap<>();
  private final LongAdder drifts = new LongAdder();

  /** Nothing was done. */
  public Figures() {}

  void took(VolumeId id, String operation, boolean succeeded, long nanos) {
    durations
        .computeIfAbsent(new Sort(id.label(), operation, succeeded), s -> new Histogram())
        .add(nanos / 1e9);
  }

  void forced(Grounds grounds) {
    forced.computeIfAbsent(grounds, g -> new LongAdder()).increment();
  }

  void drifted() {
    drifts.increment();
  }

  /** How long operations took. */
  public List<Durations> durations() {
    return durations.entrySet().stream().map(e -> e.getValue().read(e.getKey())).toList();
  }

  /** How many volumes were taken by force, for that reason. */
  public long forcedBy(Grounds grounds) {
    LongAdder count = forced.get(grounds);
    return count == null ? 0 : count.sum();
  }

  /** How often what was attached was not what was thought. */
  public long drifts() {
    return drifts.sum();
  }
}
