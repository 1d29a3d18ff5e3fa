package dev.mooring.populator.state;

import dev.mooring.model.Uid;
import dev.mooring.operation.OperationStats;
import dev.mooring.operation.OperationStats.Durations;
import dev.mooring.operation.OperationStats.Labels;
import dev.mooring.time.Time;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Durations of populations since this process began to work on them. Thread-safe. */
public final class PopulationTimes {
  // in seconds, equal to those of Kubernetes' populator library
  public static final List<Double> BOUNDS =
      List.of(.1, .25, .5, 1., 2.5, 5., 10., 15., 30., 60., 120., 300., 600.);

  private final Time time;
  private final OperationStats stats = new OperationStats(BOUNDS);
  private final Map<Uid, Long> startNanos = new ConcurrentHashMap<>();

  public PopulationTimes(Time time) {
    this.time = time;
  }

  public void start(Uid claim) {
    startNanos.putIfAbsent(claim, time.nanos());
  }

  public void end(Uid claim, boolean isPopulated) {
    Long start = startNanos.remove(claim);
    if (start != null) {
      stats.recordDuration(new Labels("", "populate", isPopulated), time.nanos() - start);
    }
  }

  public int inFlight() {
    return startNanos.size();
  }

  public List<Durations> read() {
    return stats.read();
  }
}
