package dev.mooring.provisioner.execute;

import dev.mooring.operation.OperationStats;
import dev.mooring.operation.OperationStats.Durations;
import dev.mooring.time.Time;
import java.util.List;

/**
 * Counts created and deleted volumes and their durations, by StorageClass and source. Thread-safe.
 */
public final class ProvisionStats {
  public static final String PROVISION = "provision";

  public static final String DELETE = "delete";

  /** Upper bounds of the histogram buckets in seconds; Prometheus' defaults. */
  public static final List<Double> BOUNDS =
      List.of(.005, .01, .025, .05, .1, .25, .5, 1., 2.5, 5., 10.);

  private final OperationStats stats = new OperationStats(BOUNDS);
  private final Time time;

  public ProvisionStats(Time time) {
    this.time = time;
  }

  long currentNanos() {
    return time.nanos();
  }

  void recordProvisioning(ProvisionAttempt attempt, boolean succeeded) {
    stats.recordDuration(
        new OperationStats.Labels(
            attempt.className(), PROVISION, succeeded, false, attempt.source()),
        time.nanos() - attempt.startNanos());
  }

  void recordDeletion(String className, boolean destroyed, long startNanos) {
    stats.recordDuration(className, DELETE, destroyed, time.nanos() - startNanos);
  }

  public List<Durations> listDurations() {
    return stats.read();
  }
}
