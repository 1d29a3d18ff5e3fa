package dev.mooring.csi;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.decide.AbandonedVolume;
import dev.mooring.csi.decide.CapacityObjectCount;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.state.DriverPace;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Quantity;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.GroupSpec;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.StorageProvisioner;
import dev.mooring.storage.decide.DriverNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Controllers of all configured CSI drivers. Thread-safe. */
public final class CsiBridge {
  public static final String NAME = "csi-bridge";

  public static final Kind<PartialObject> SNAPSHOT = DataSource.SNAPSHOT;

  public record Config(String host, ListWatch<PartialObject> snapshots, List<Driver> drivers) {
    public Config {
      drivers = List.copyOf(drivers);
    }
  }

  /**
   * State of a driver.
   *
   * @param version version that the driver reports; "" while it is not ready
   * @param abilities its capabilities; empty while it is not ready
   * @param problem why it is not ready; "" if it is
   * @param failedCalls number of calls that ended with an error
   * @param limits limits of calls that the driver refused
   */
  public record DriverStatus(
      String name,
      String version,
      List<String> abilities,
      String problem,
      long failedCalls,
      List<CallLimit> limits) {
    public DriverStatus {
      abilities = List.copyOf(abilities);
      limits = List.copyOf(limits);
    }

    public boolean isReady() {
      return problem.isEmpty();
    }
  }

  /**
   * Limit of one kind of calls.
   *
   * @param callsPerSecond infinite if there is no limit
   * @param concurrency infinite if there is no limit
   * @param description both, human-readable
   */
  public record CallLimit(
      String method, double callsPerSecond, double concurrency, String description) {
    static List<CallLimit> listOf(DriverPace pace) {
      return pace.limits().stream()
          .map(limit ->
              new CallLimit(
                  limit.lane().method(),
                  limit.callsPerSecond(),
                  limit.concurrency(),
                  limit.toString()))
          .toList();
    }
  }

  public record Driver(
      String name, CsiConnection connection, CsiConfig config, DriverNames names) {}

  private final List<DriverBridge> bridges = new ArrayList<>();
  private final List<ControllerSpec> controllers = new ArrayList<>();

  @Inject
  CsiBridge(
      Config config,
      SharedInformers informers,
      ClusterPorts ports,
      StorageProvisioner provisioner,
      DeletionBreaker breaker) {
    for (Driver driver : config.drivers()) {
      DriverBridge bridge = new DriverBridge(driver, config.snapshots(), informers, ports, breaker);
      bridges.add(bridge);
      controllers.addAll(bridge.controllers(provisioner, config.host()));
    }
  }

  GroupSpec spec() {
    return GroupSpec.of(NAME, controllers);
  }

  public void callOnlyWhile(BooleanSupplier allowed) {
    bridges.forEach(bridge -> bridge.session().callOnlyWhile(allowed));
  }

  /**
   * Returns durations of the drivers' calls. An operation is a method and a code, separated by a
   * blank.
   */
  public List<OperationStats.Durations> calls() {
    return bridges.stream().flatMap(bridge -> bridge.calls().read().stream()).toList();
  }

  public Map<String, CapacityObjectCount> capacities() {
    Map<String, CapacityObjectCount> counts = new LinkedHashMap<>();
    for (DriverBridge bridge : bridges) {
      bridge.capacities().ifPresent(count -> counts.put(bridge.session().driver(), count));
    }
    return counts;
  }

  /**
   * Orphaned volumes of a driver.
   *
   * @param bytes sum of their capacities
   */
  public record OrphanCount(String driver, String storageClass, int volumes, long bytes) {}

  /** Counts the orphaned volumes by driver and class; empty without {@code --doctor-period}. */
  public List<OrphanCount> orphans() {
    List<OrphanCount> counts = new ArrayList<>();
    for (DriverBridge bridge : bridges) {
      Map<String, List<AbandonedVolume>> byClass = new TreeMap<>();
      for (AbandonedVolume volume : bridge.orphans().orphans()) {
        byClass.computeIfAbsent(volume.storageClass(), name -> new ArrayList<>()).add(volume);
      }
      byClass.forEach((name, volumes) ->
          counts.add(
              new OrphanCount(
                  bridge.session().driver(),
                  name,
                  volumes.size(),
                  volumes.stream()
                      .mapToLong(AbandonedVolume::bytes)
                      .reduce(0, Quantity::addBytes))));
    }
    return counts;
  }

  /** Returns the number of failed searches for orphaned volumes by driver. */
  public Map<String, Long> failedSearches() {
    Map<String, Long> failures = new LinkedHashMap<>();
    for (DriverBridge bridge : bridges) {
      failures.put(bridge.session().driver(), bridge.orphans().failures());
    }
    return failures;
  }

  public List<DriverStatus> drivers() {
    return bridges.stream().map(DriverBridge::status).toList();
  }
}
