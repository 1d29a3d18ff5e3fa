package dev.mooring.it.sim;

import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.CsiConfig;
import dev.mooring.csi.DriverBridge;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.provisioner.ProvisionController;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.spi.csi.CsiConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a manager has beside the other controllers if it drives a CSI driver. */
final class WholeBridge {
  private static final int WORKERS = 3;
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final CsiConfig CONFIG =
      new CsiConfig(
          CsiConfig.DEFAULTS.timeout(),
          WORKERS,
          CsiConfig.DEFAULTS.firstRetry(),
          LONGEST,
          CsiConfig.Listing.DEFAULTS,
          CsiConfig.DEFAULTS.options(),
          Optional.empty(),
          CsiConfig.Sources.DEFAULTS,
          Optional.empty(),
          Optional.empty());

  private final DriverBridge bridge;
  private final ProvisionController provisioner;
  private final List<ControllerRuntime> controllers;

  WholeBridge(
      CsiConnection driver,
      SharedInformers informers,
      ClusterPorts ports,
      BinderController binder) {
    bridge =
        new DriverBridge(
            WholeDriver.NAME,
            driver,
            CONFIG,
            new DriverBridge.Cluster(informers, new NoSnapshots(), ports));
    provisioner =
        new ProvisionController(
            new ProvisionController.Storage("csi-provisioner", bridge.volumes()),
            new ProvisionController.Config(
                WORKERS, CONFIG.firstRetry(), LONGEST, "csi", WholeDriver.NAMES, Optional.empty()),
            informers,
            ports,
            new ProvisionController.WithBinder(binder.breaker(), binder.saved()));
    controllers =
        Stream.concat(bridge.controllers().stream(), Stream.of(provisioner.spec()))
            .map(spec -> new ControllerRuntime(spec, ports.time()))
            .toList();
  }

  List<ControllerRuntime> controllers() {
    return controllers;
  }

  /** What it wants to know of the cluster. */
  List<Informer<?>> reads() {
    return bridge.reads();
  }

  /** Begins to act, as the program does. */
  void start() throws InterruptedException {
    bridge.onReady(provisioner::wake);
    for (ControllerRuntime controller : controllers) {
      controller.start();
    }
    bridge.start();
  }
}
