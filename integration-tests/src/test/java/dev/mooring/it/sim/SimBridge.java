package dev.mooring.it.sim;

import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.CsiConfig;
import dev.mooring.csi.DriverBridge;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.provisioner.ProvisionController;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.snapshots.SnapshotConfig;
import dev.mooring.snapshots.SnapshotController;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a manager has beside the other controllers if it drives a CSI driver. */
final class SimBridge {
  private static final List<Kind<?>> SNAPSHOTS =
      List.of(
          Kind.SNAPSHOT,
          Kind.SNAPSHOT_CONTENT,
          Kind.SNAPSHOT_CLASS,
          Kind.GROUP_SNAPSHOT,
          Kind.GROUP_SNAPSHOT_CONTENT,
          Kind.GROUP_SNAPSHOT_CLASS);

  /**
   * A driver, as a process has it.
   *
   * @param name its name
   * @param names what its volumes are called
   * @param longest between two attempts
   * @param capacity whether it is told how much room there is
   * @param snapshots whether it cuts snapshots
   * @param connection by what the process reaches it
   * @param onReady called when the process may use it
   */
  record Driver(
      String name,
      DriverNames names,
      Duration longest,
      boolean capacity,
      boolean snapshots,
      CsiConnection connection,
      Runnable onReady) {
    private CsiConfig config() {
      return new CsiConfig(
          CsiConfig.DEFAULTS.timeout(),
          SimProcess.WORKERS,
          CsiConfig.DEFAULTS.firstRetry(),
          longest,
          CsiConfig.Listing.DEFAULTS,
          CsiConfig.DEFAULTS.options(),
          capacity
              ? Optional.of(
                  new CsiConfig.Capacity(
                      "ns", Duration.ofMinutes(1), true, CsiConfig.CapacityOwner.NONE))
              : Optional.empty(),
          CsiConfig.Sources.DEFAULTS,
          Optional.empty(),
          snapshots
              ? Optional.of(
                  new CsiConfig.Snapshots(
                      DriverNames.OF_SNAPSHOTS, Optional.of(DriverNames.OF_GROUPS)))
              : Optional.empty());
    }
  }

  private final DriverBridge bridge;
  private final List<ControllerRuntime> controllers;
  private final List<Informer<?>> reads;

  SimBridge(Driver driver, SharedInformers informers, ClusterPorts ports, BinderController binder) {
    CsiConfig config = driver.config();
    bridge =
        new DriverBridge(
            driver.name(),
            driver.connection(),
            config,
            new DriverBridge.Cluster(informers, new NoSnapshots(), ports));
    ProvisionController provisioner =
        new ProvisionController(
            new ProvisionController.Storage("csi-provisioner", bridge.volumes()),
            new ProvisionController.Config(
                SimProcess.WORKERS,
                config.firstRetry(),
                driver.longest(),
                "csi",
                driver.names(),
                Optional.empty()),
            informers,
            ports,
            new ProvisionController.WithBinder(binder.breaker(), binder.saved()));
    bridge.onReady(provisioner::wake);
    bridge.onReady(driver.onReady());
    Stream<ControllerSpec> snapshots =
        driver.snapshots()
            ? Stream.of(new SnapshotController(new SnapshotConfig(true), informers, ports).spec())
            : Stream.empty();
    controllers =
        Stream.of(bridge.controllers().stream(), Stream.of(provisioner.spec()), snapshots)
            .flatMap(specs -> specs)
            .map(spec -> new ControllerRuntime(spec, ports.time()))
            .toList();
    reads =
        Stream.concat(
                bridge.reads().stream(),
                driver.snapshots() ? SNAPSHOTS.stream().map(informers::of) : Stream.empty())
            .<Informer<?>>map(informer -> informer)
            .toList();
  }

  List<ControllerRuntime> controllers() {
    return controllers;
  }

  /** What it wants to know of the cluster. */
  List<Informer<?>> reads() {
    return reads;
  }

  /** Stops, as the program does; whether everything was finished. */
  boolean stop(Duration grace) throws InterruptedException {
    boolean clean = true;
    for (ControllerRuntime controller : controllers) {
      clean &= controller.stop(clean ? grace : Duration.ZERO);
    }
    bridge.stop();
    return clean;
  }

  /** Begins to act, as the program does. */
  void start() throws InterruptedException {
    for (ControllerRuntime controller : controllers) {
      controller.start();
    }
    bridge.start();
  }
}
