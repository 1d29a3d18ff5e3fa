package dev.mooring.manager.lifecycle;

import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.binder.BinderConfig;
import dev.mooring.csi.CsiBridge;
import dev.mooring.csi.CsiConfig;
import dev.mooring.kube.LeaderElection;
import dev.mooring.manager.audit.AuditLog;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.snapshots.SnapshotConfig;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnector;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How a controller-manager runs.
 *
 * @param binder how the binder runs
 * @param attachDetach how the attach/detach controller runs
 * @param csi the CSI drivers that are driven from here
 * @param plugins how plugins are made use of
 * @param beside whether kube-controller-manager's own volume controllers run too
 * @param controllers the controllers that run, by name
 * @param features what Kubernetes has behind feature gates
 * @param ephemeralWorkers pods whose generic ephemeral volumes are worked on at once, at least 1
 * @param election how one leader among replicas is found, empty for no election
 * @param qps writes per second at most, 0 for no cap
 * @param burst writes at once at most, where there is a cap
 * @param endpoints where health and metrics are answered, empty for nowhere
 * @param fallBackToAnyPort whether any port will do if that one is taken
 * @param console where the page is shown, empty for nowhere
 * @param audit where it is written what was decided and done, empty for nowhere
 * @param grace how long a stop may take
 */
public record ManagerConfig(
    BinderConfig binder,
    AttachDetachConfig attachDetach,
    Csi csi,
    OfPlugins plugins,
    boolean beside,
    Set<String> controllers,
    Features features,
    int ephemeralWorkers,
    Optional<LeaderElection.Config> election,
    double qps,
    int burst,
    Optional<EndpointConfig> endpoints,
    boolean fallBackToAnyPort,
    Optional<EndpointConfig> console,
    Optional<AuditLog.Config> audit,
    Duration grace) {
  /**
   * Checked.
   *
   * @throws IllegalArgumentException naming the flags that do not go together
   */
  public ManagerConfig {
    for (Map.Entry<String, Driver> driver : csi.drivers().entrySet()) {
      if (driver.getValue().config().node().isPresent()) {
        checkOnNode(driver.getKey(), driver.getValue(), election.isPresent(), controllers);
      }
    }
  }

  private static void checkOnNode(
      String driver, Driver settings, boolean elected, Set<String> controllers) {
    String flag = "--node-deployment of CSI driver " + driver;
    if (elected) {
      throw new IllegalArgumentException(
          flag + ": every node's process works at the same time: name --leader-elect=false");
    }
    if (!Set.of(CsiBridge.NAME).containsAll(controllers)) {
      throw new IllegalArgumentException(
          flag
              + ": every node would run the other controllers too: name --controllers="
              + CsiBridge.NAME);
    }
    if (settings.config().snapshots().isPresent()) {
      throw new IllegalArgumentException(
          flag
              + ": every node would ask its driver for every snapshot: leave out --enable-snapshots");
    }
    if (settings.config().listing().nodesToo()) {
      throw new IllegalArgumentException(
          flag
              + ": every node would tell of the nodes that are down: leave out --enable-node-watcher");
    }
  }

  /**
   * Features that are off unless their gate is on.
   *
   * @param unusedClaims whether claims say since when no pod uses them ({@code
   *     PersistentVolumeClaimUnusedSinceTime})
   * @param sourcesAcrossNamespaces whether claims may be filled from what is in other namespaces
   *     ({@code CrossNamespaceVolumeDataSource})
   * @param groupSnapshots whether snapshots of several claims are made as a group ({@code
   *     CSIVolumeGroupSnapshot})
   */
  public record Features(
      boolean unusedClaims, boolean sourcesAcrossNamespaces, boolean groupSnapshots) {
    /** None. */
    public static final Features OFF = new Features(false, false, false);
  }

  /** How the snapshot controller runs. */
  public SnapshotConfig snapshots() {
    return new SnapshotConfig(features.groupSnapshots());
  }

  /**
   * Plugins.
   *
   * @param provisioner how they provision by the external-provisioner protocol
   * @param scan how often the plugin directory is looked at, zero for never
   * @param usage how often volumes are measured, zero for never
   * @param podsNamespace where they may run pods, "" if they may not, and see no nodes either
   */
  public record OfPlugins(
      ProvisionConfig provisioner, Duration scan, Duration usage, String podsNamespace) {
    /** As they are when the program starts. */
    public static final OfPlugins FIXED =
        new OfPlugins(ProvisionConfig.DEFAULTS, Duration.ZERO, Duration.ZERO, "");
  }

  /**
   * CSI drivers.
   *
   * @param drivers by their names
   */
  public record Csi(Map<String, Driver> drivers) {
    /** No drivers. */
    public static final Csi NONE = new Csi(Map.of());

    /**
     * Them, with a connection to each.
     *
     * @param connector what connects, if it is loaded
     * @throws IllegalArgumentException if there can be no connection; the message names the flag
     *     and the remedy
     */
    List<CsiBridge.Driver> connect(Optional<CsiConnector> connector) {
      List<CsiBridge.Driver> connected = new ArrayList<>();
      drivers.forEach((name, driver) ->
          connected.add(
              new CsiBridge.Driver(
                  name,
                  driver.connect(connector.orElseThrow(() -> noConnector(name))),
                  driver.config(),
                  driver.names())));
      return connected;
    }

    private static IllegalArgumentException noConnector(String driver) {
      return new IllegalArgumentException(
          "--csi-endpoint "
              + driver
              + ": the CSI bridge is not among the plugins: put its folder"
              + " plugins-csi-bridge into the plugin directory");
    }
  }

  /**
   * A CSI driver.
   *
   * @param endpoint where it listens
   * @param config how it is driven
   * @param names how its volumes are called
   * @param tls how it and this process know each other over TCP; empty for not at all
   */
  public record Driver(
      String endpoint, CsiConfig config, DriverNames names, Optional<CsiConnector.Tls> tls) {
    /**
     * A connection to it.
     *
     * @throws IllegalArgumentException if there can be none; the message names the endpoint
     */
    public CsiConnection connect(CsiConnector connector) {
      return tls.isPresent()
          ? connector.connect(endpoint, tls.get(), config.timeout())
          : connector.connect(endpoint, config.timeout());
    }
  }
}
