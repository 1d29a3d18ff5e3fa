package dev.mooring.it.sim;

import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.CsiConfig;
import dev.mooring.csi.DriverBridge;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.provisioner.ProvisionController;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.snapshots.SnapshotConfig;
import dev.mooring.snapshots.SnapshotController;
import dev.mooring.storage.Plugins;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One running process that binds and drives a CSI driver: caches, connections, threads. */
final class CsiProcess {
  static final Duration LONGEST = Duration.ofMinutes(5);

  private static final CsiConfig CONFIG =
      new CsiConfig(
          Duration.ofSeconds(15),
          3,
          Duration.ofSeconds(1),
          LONGEST,
          CsiConfig.Listing.DEFAULTS,
          DriverOptions.DEFAULTS,
          Optional.of(
              new CsiConfig.Capacity(
                  "ns", Duration.ofMinutes(1), true, CsiConfig.CapacityOwner.NONE)),
          CsiConfig.Sources.DEFAULTS,
          Optional.empty(),
          Optional.empty());
  private static final CsiConfig CUTTING =
      new CsiConfig(
          CONFIG.timeout(),
          CONFIG.workers(),
          CONFIG.firstRetry(),
          CONFIG.lastRetry(),
          CONFIG.listing(),
          CONFIG.options(),
          CONFIG.capacity(),
          CONFIG.sources(),
          CONFIG.node(),
          Optional.of(
              new CsiConfig.Snapshots(
                  DriverNames.OF_SNAPSHOTS, Optional.of(DriverNames.OF_GROUPS))));

  private static final List<Kind<? extends Resource>> SNAPSHOTS =
      List.of(
          Kind.SNAPSHOT,
          Kind.SNAPSHOT_CONTENT,
          Kind.SNAPSHOT_CLASS,
          Kind.GROUP_SNAPSHOT,
          Kind.GROUP_SNAPSHOT_CONTENT,
          Kind.GROUP_SNAPSHOT_CLASS);

  private final CsiWorld world;
  private final CsiWire wire;
  private final DriverBridge bridge;
  private final ProvisionController provisioner;
  private final List<ControllerRuntime> controllers;
  private final List<SimWatch<?>> watches;

  CsiProcess(CsiWorld world, SimServer server, CsiDriverSide driver, boolean cuts) {
    this.world = world;
    this.wire = new CsiWire(world, driver);
    SharedInformers informers = new SharedInformers();
    Time time = world.clock().of(this);
    SimConnection connection = new SimConnection(world, server, informers);
    ClusterPorts ports =
        new ClusterPorts(
            connection,
            connection,
            event -> {},
            (key, uid) -> new ReadResult.Found<>(List.of()),
            time);
    BinderController binder =
        new BinderController(
            new BinderConfig(
                BinderConfig.DEFAULTS.resync(),
                3,
                BinderConfig.DEFAULTS.policy(),
                BinderConfig.DEFAULTS.recycle(),
                BinderConfig.DEFAULTS.breaker()),
            informers,
            ports,
            Plugins.NONE);
    bridge =
        new DriverBridge(
            CsiDriverSide.NAME,
            wire,
            cuts ? CUTTING : CONFIG,
            new DriverBridge.Cluster(informers, new NoSnapshots(), ports));
    provisioner =
        new ProvisionController(
            new ProvisionController.Storage("csi-provisioner", bridge.volumes()),
            new ProvisionController.Config(
                3,
                CONFIG.firstRetry(),
                LONGEST,
                "csi",
                ProvisionController.Config.DEFAULTS.names(),
                Optional.empty()),
            informers,
            ports,
            new ProvisionController.WithBinder(binder.breaker(), binder.saved()));
    controllers =
        Stream.of(
                List.of(binder.spec()),
                bridge.controllers(),
                List.of(provisioner.spec()),
                cuts ? List.of(snapshots(informers, ports)) : List.<ControllerSpec>of())
            .flatMap(List::stream)
            .map(spec -> new ControllerRuntime(spec, time))
            .toList();
    watches = new ArrayList<>();
    Stream.of(
            Kind.CLAIM,
            Kind.VOLUME,
            Kind.STORAGE_CLASS,
            Kind.ATTACHMENT,
            Kind.CSI_NODE,
            Kind.NODE,
            Kind.POD)
        .forEach(kind -> watches.add(new SimWatch<>(server, informers.of(kind))));
    if (cuts) {
      SNAPSHOTS.forEach(kind -> watches.add(new SimWatch<>(server, informers.of(kind))));
    }
    watches.forEach(SimWatch::start);
  }

  private static ControllerSpec snapshots(SharedInformers informers, ClusterPorts ports) {
    return new SnapshotController(new SnapshotConfig(true), informers, ports).spec();
  }

  /** Begins to act, as the program does. */
  CsiProcess begin() {
    world.scheduler().thread("start", this, this::start).start();
    return this;
  }

  private void start() {
    try {
      bridge.onReady(provisioner::wake);
      bridge.onReady(world::isReady);
      for (ControllerRuntime controller : controllers) {
        controller.start();
      }
      bridge.start();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  List<SimWatch<?>> watches() {
    return watches;
  }

  /** The connection to the driver is lost. */
  void loseDriver() {
    wire.lose();
  }

  /** The process is gone. */
  void end() {
    world.scheduler().kill(this);
    world.clock().forget(this);
    watches.forEach(SimWatch::stop);
  }
}
