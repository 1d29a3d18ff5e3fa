package dev.mooring.provisioner.execute;

import dev.mooring.operation.OperationStats;
import dev.mooring.operation.OperationStats.Durations;
import dev.mooring.time.Time;
import java.util.List;

/** Counts what was made and destroyed, by StorageClass. Thread-safe. */
public final class ProvisionStats {
  /** Provisioning a volume. */
  public static final String PROVISION = "provision";

  /** The destruction of a volume. */
  public static final String DELETE = "delete";

  /** Upper bounds of the buckets in seconds: Prometheus' own. */
  public static final List<Double> BOUNDS =
      List.of(.005, .01, .025, .05, .1, .25, .5, 1., 2.5, 5., 10.);

  private final OperationStats stats = new OperationStats(BOUNDS);
  private final Time time;

  /** Nothing was done yet. */
  public ProvisionStats(Time time) {
    this.time = time;
  }

  /** The beginning of something, for the methods below. */
  long now() {
    return time.nanos();
  }

  void provisioned(String className, boolean made, long since) {
    stats.took(className, PROVISION, made, time.nanos() - since);
  }

  void deleted(String className, boolean destroyed, long since) {
    stats.took(className, DELETE, destroyed, time.nanos() - since);
  }

  /** The plugin of a sort is the StorageClass, its operation one of the two above. */
  public List<Durations> read() {
    return stats.read();
  }
}
