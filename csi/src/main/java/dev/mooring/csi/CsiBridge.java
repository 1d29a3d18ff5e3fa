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

/** Controllers of all configured CSI drivers. Thread-safe. */
public final class CsiBridge {
  public static final String NAME = "csi-bridge";

  public static final Kind<PartialObject> SNAPSHOT = DataSource.SNAPSHOT;

  public record Config(String host, ListWatch<PartialObject> snapshots, List<Driver> drivers) {
    public Config {
      drivers = List.copyOf(drivers);
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
    DriverBridge.ClusterAccess cluster =
        new DriverBridge.ClusterAccess(informers, config.snapshots(), ports, breaker);
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
            ReporterNames.provisioner(driver.name(), host, UUID.randomUUID().toString()),
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

  GroupSpec spec() {
    return GroupSpec.of(NAME, controllers);
  }

  public void callOnlyWhile(BooleanSupplier allowed) {
    bridges.forEach(bridge -> bridge.callOnlyWhile(allowed));
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
      bridge.capacities().ifPresent(count -> counts.put(bridge.driver(), count));
    }
    return counts;
  }

  public List<DriverStatus> drivers() {
    return bridges.stream().map(DriverBridge::status).toList();
  }
}
