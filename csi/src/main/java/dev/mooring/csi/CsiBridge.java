package dev.mooring.csi;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.PartialObject;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.GroupSpec;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.StorageProvisioner;
import dev.mooring.storage.decide.DriverNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/** Every CSI driver that is driven from here, as one controller. Thread-safe. */
public final class CsiBridge {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "csi-bridge";

  /** What is listed of VolumeSnapshots. */
  public static final Kind<PartialObject> SNAPSHOT = DataSource.SNAPSHOT;

  /**
   * What is driven from here.
   *
   * @param host this machine's name, for people
   * @param snapshots lists what there is of {@link #SNAPSHOT}, where the server has it
   * @param drivers the drivers, in the order of their start
   */
  public record Config(String host, ListWatch<PartialObject> snapshots, List<Driver> drivers) {
    /** Copies the list. */
    public Config {
      drivers = List.copyOf(drivers);
    }
  }

  /**
   * A driver.
   *
   * @param name its name
   * @param connection its socket, closed when the bridge stops
   * @param config how it is driven
   * @param names how its volumes are called
   */
  public record Driver(
      String name, CsiConnection connection, CsiConfig config, DriverNames names) {}

  private final List<DriverBridge> bridges = new ArrayList<>();
  private final List<ControllerSpec> controllers = new ArrayList<>();

  /**
   * A bridge that does nothing yet.
   *
   * @param provisioner provisions in what the drivers are for
   * @param breaker is asked before a driver destroys a snapshot
   */
  @Inject
  CsiBridge(
      Config config,
      SharedInformers informers,
      ClusterPorts ports,
      StorageProvisioner provisioner,
      DeletionBreaker breaker) {
    DriverBridge.Cluster cluster =
        new DriverBridge.Cluster(informers, config.snapshots(), ports, breaker);
    for (Driver driver : config.drivers()) {
      DriverBridge bridge = new DriverBridge(driver, cluster);
      bridges.add(bridge);
      controllers.addAll(
          bridge.controllers(provisioner.in(storage(driver, bridge, config.host()))));
    }
  }

  private static ProvisionedStorage storage(Driver driver, DriverBridge bridge, String host) {
    CsiConfig config = driver.config();
    return new ProvisionedStorage(
        "csi-provisioner-" + driver.name(),
        bridge.volumes(),
        new ProvisionConfig(
            config.workers(),
            config.firstRetry(),
            config.lastRetry(),
            Reporters.provisioner(driver.name(), host, UUID.randomUUID().toString()),
            driver.names()),
        bridge::onReady,
        bridge::onUnblocked,
        Optional.of(bridge.attachments()),
        node(config, bridge));
  }

  private static Optional<ProvisionedStorage.Node> node(CsiConfig config, DriverBridge bridge) {
    return config
        .node()
        .flatMap(n ->
            bridge
                .storage()
                .map(storage ->
                    new ProvisionedStorage.Node(
                        n.node(),
                        n.immediateToo(),
                        n.baseDelay(),
                        n.maxDelay(),
                        storage,
                        () -> ThreadLocalRandom.current().nextDouble())));
  }

  /** What it is made of, to be run once. */
  GroupSpec spec() {
    return GroupSpec.of(NAME, controllers);
  }

  /** From now on drivers are called only while that is so. */
  public void callOnlyWhile(BooleanSupplier allowed) {
    bridges.forEach(bridge -> bridge.callOnlyWhile(allowed));
  }

  /**
   * How long the drivers' calls took: an operation is a method and its code, with a blank between.
   */
  public List<OperationStats.Durations> calls() {
    return bridges.stream().flatMap(bridge -> bridge.calls().read().stream()).toList();
  }

  /** How many CSIStorageCapacity objects there are, of drivers for which they are published. */
  public Map<String, CapacityCount> capacities() {
    Map<String, CapacityCount> counts = new LinkedHashMap<>();
    for (DriverBridge bridge : bridges) {
      bridge.capacities().ifPresent(count -> counts.put(bridge.driver(), count));
    }
    return counts;
  }

  /** How the drivers are. */
  public List<DriverStanding> drivers() {
    return bridges.stream().map(DriverBridge::standing).toList();
  }
}
