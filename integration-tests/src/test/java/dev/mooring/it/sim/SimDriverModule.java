package dev.mooring.it.sim;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.util.Modules;
import dev.mooring.csi.CsiBridge;
import dev.mooring.csi.CsiConfig;
import dev.mooring.csi.CsiModule;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Reason;
import dev.mooring.manager.lifecycle.KnownController;
import dev.mooring.provisioner.PluginProvisioners;
import dev.mooring.provisioner.ProvisionControllers;
import dev.mooring.provisioner.ProvisionModule;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.snapshots.SnapshotConfig;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.StorageProvisioner;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.GivenListWatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Guice module of a manager that drives a CSI driver. It installs the program's modules with the
 * simulated driver and its configuration.
 */
final class SimDriverModule extends AbstractModule {
  /**
   * Driver of one process.
   *
   * @param names names of its volumes
   * @param longest maximum back-off
   * @param capacity whether to publish CSIStorageCapacity objects
   * @param snapshots whether to handle snapshots
   * @param acrossNamespaces whether claims may name sources in other namespaces
   * @param connection the process's connection to the driver
   * @param onReady called when the driver is ready
   */
  record Driver(
      String name,
      DriverNames names,
      Duration longest,
      boolean capacity,
      boolean snapshots,
      boolean acrossNamespaces,
      CsiConnection connection,
      Runnable onReady) {
    private CsiConfig config() {
      CsiConfig.Calls calls = CsiConfig.Calls.DEFAULTS;
      return new CsiConfig(
          new CsiConfig.Calls(calls.timeout(), SimProcess.WORKERS, calls.minRetryDelay(), longest),
          new CsiConfig.Listing(
              Duration.ofMinutes(1), 0, Duration.ofMinutes(1), false, Duration.ZERO),
          CsiConfig.DEFAULTS.options(),
          capacity
              ? Optional.of(
                  new CsiConfig.Capacity(
                      "ns", Duration.ofMinutes(1), true, CsiConfig.CapacityOwner.NONE))
              : Optional.empty(),
          new CsiConfig.DataSources(
              CsiConfig.DataSources.DEFAULTS.sweepPeriod(), acrossNamespaces, false),
          Optional.empty(),
          snapshots
              ? Optional.of(
                  new CsiConfig.Snapshots(
                      DriverNames.OF_SNAPSHOTS, Optional.of(DriverNames.OF_GROUPS)))
              : Optional.empty());
    }
  }

  private final Driver driver;

  SimDriverModule(Driver driver) {
    this.driver = driver;
  }

  @Override
  protected void configure() {
    bind(CsiBridge.Config.class)
        .toInstance(
            new CsiBridge.Config(
                "sim",
                new GivenListWatch<>(() -> {
                  throw new ListWatchException(Reason.NO_SUCH_RESOURCE, "no such kind");
                }),
                List.of(
                    new CsiBridge.Driver(
                        driver.name(), driver.connection(), driver.config(), driver.names()))));
    bind(PluginProvisioners.Config.class)
        .toInstance(new PluginProvisioners.Config(ProvisionConfig.DEFAULTS));
    if (driver.snapshots()) {
      bind(SnapshotConfig.class).toInstance(new SnapshotConfig(true, false, Duration.ZERO));
      install(KnownController.SNAPSHOTS.module());
    }
    install(new CsiModule());
    install(Modules.override(new ProvisionModule()).with(new ReadyNotification(driver)));
  }

  /**
   * Also calls {@link Driver#onReady()} when the driver becomes ready and its waiting claims are
   * requeued.
   */
  private static final class ReadyNotification extends AbstractModule {
    private final Driver driver;

    ReadyNotification(Driver driver) {
      this.driver = driver;
    }

    @Provides
    @Singleton
    StorageProvisioner provisioner(ProvisionControllers controllers) {
      return storage -> {
        ControllerSpec spec = controllers.createController(storage);
        if (storage.volumes().provisionerNames().contains(driver.name())) {
          storage.onReady().accept(driver.onReady());
        }
        return spec;
      };
    }
  }
}
