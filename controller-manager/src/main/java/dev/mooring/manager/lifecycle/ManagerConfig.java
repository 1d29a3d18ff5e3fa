package dev.mooring.manager.lifecycle;

import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.attachdetach.OutOfServiceController;
import dev.mooring.binder.BinderConfig;
import dev.mooring.csi.CsiBridge;
import dev.mooring.csi.CsiConfig;
import dev.mooring.kube.LeaderElection;
import dev.mooring.manager.audit.AuditLog;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.populator.PopulatorConfig;
import dev.mooring.protection.UnusedCondition;
import dev.mooring.provisioner.DeletionVerifier;
import dev.mooring.provisioner.UsageController;
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
 * Configuration of a controller-manager.
 *
 * @param beside whether kube-controller-manager's own volume controllers run too
 * @param controllers names of the controllers to run
 * @param features enabled feature gates
 * @param ephemeralWorkers pods with generic ephemeral volumes processed concurrently, at least 1
 * @param election leader election; empty to run without one
 * @param rehearsal duration of the rehearsal before this process takes part in the election; zero
 *     for none
 * @param qps maximum writes per second; 0 for no limit
 * @param burst maximum burst of writes, if {@code qps} is positive
 * @param endpoints address of health and metrics; empty for none
 * @param fallBackToAnyPort whether another port may replace one that is in use
 * @param console address of the console; empty for none
 * @param audit audit log; empty for none
 * @param grace maximum time to finish work when stopping
 */
public record ManagerConfig(
    BinderConfig binder,
    AttachDetachConfig attachDetach,
    Csi csi,
    PluginsConfig plugins,
    boolean beside,
    Set<String> controllers,
    Features features,
    int ephemeralWorkers,
    Optional<LeaderElection.Config> election,
    Duration rehearsal,
    double qps,
    int burst,
    Optional<EndpointConfig> endpoints,
    boolean fallBackToAnyPort,
    Optional<EndpointConfig> console,
    Optional<AuditLog.Config> audit,
    Duration grace) {
  public ManagerConfig {
    for (Map.Entry<String, Driver> driver : csi.drivers().entrySet()) {
      if (driver.getValue().config().node().isPresent()) {
        checkNodeDeployment(driver.getKey(), driver.getValue(), election.isPresent(), controllers);
      }
    }
  }

  private static void checkNodeDeployment(
      String driver, Driver settings, boolean hasElection, Set<String> controllers) {
    String flag = "--node-deployment of CSI driver " + driver;
    if (hasElection) {
      throw new IllegalArgumentException(
          flag
              + ": the processes of all nodes must be active at the same time: specify --leader-elect=false");
    }
    if (!Set.of(CsiBridge.NAME).containsAll(controllers)) {
      throw new IllegalArgumentException(
          flag
              + ": every node would run the other controllers too: specify --controllers="
              + CsiBridge.NAME);
    }
    if (settings.config().snapshots().flatMap(CsiConfig.Snapshots::groups).isPresent()) {
      throw new IllegalArgumentException(
          flag
              + ": every node would create every group of snapshots: omit --feature-gates=CSIVolumeGroupSnapshot=true");
    }
    if (settings.config().listing().reportsNodes()) {
      throw new IllegalArgumentException(
          flag + ": every node would report the nodes that are down: omit --enable-node-watcher");
    }
  }

  /** Returns whether the controller is configured and has work in this configuration. */
  public boolean isActive(String controller) {
    return controllers.contains(controller)
        && switch (controller) {
          case CsiBridge.NAME -> !csi.drivers().isEmpty();
          case UsageController.NAME -> plugins.usage().isPositive();
          case DeletionVerifier.NAME -> plugins.verification().isPositive();
          case OutOfServiceController.NAME -> beside && attachDetach.failoverByEvidence();
          default -> true;
        };
  }

  /**
   * Features behind feature gates.
   *
   * @param unusedCondition claims that get the condition Unused ({@code
   *     PersistentVolumeClaimUnusedSinceTime})
   * @param sourcesAcrossNamespaces allow data sources in other namespaces ({@code
   *     CrossNamespaceVolumeDataSource})
   * @param groupSupport support of group snapshots ({@code CSIVolumeGroupSnapshot})
   * @param snapshotTopology topologies of snapshots ({@code VolumeSnapshotTopology})
   */
  public record Features(
      UnusedCondition unusedCondition,
      boolean sourcesAcrossNamespaces,
      GroupSupport groupSupport,
      boolean snapshotTopology) {
    public static final Features OFF =
        new Features(UnusedCondition.OFF, false, GroupSupport.OFF, false);
  }

  /** Returns whether groups of snapshots are served. */
  public enum GroupSupport {
    OFF,
    /** On, except for drivers whose instances on the nodes would all create every group. */
    BY_DEFAULT,
    REQUESTED
  }

  /** Returns a configuration for a process that only observes: no election, address or driver. */
  public ManagerConfig observing() {
    return observing(Optional.empty(), Optional.empty());
  }

  /** Does the same, and serves metrics and the console at these addresses. */
  public ManagerConfig observing(
      Optional<EndpointConfig> servedEndpoints, Optional<EndpointConfig> servedConsole) {
    return new ManagerConfig(
        binder,
        attachDetach,
        Csi.NONE,
        new PluginsConfig(
            plugins.provisioner(), Duration.ZERO, Duration.ZERO, Duration.ZERO, "", ""),
        beside,
        controllers,
        features,
        ephemeralWorkers,
        Optional.empty(),
        Duration.ZERO,
        0,
        1,
        servedEndpoints,
        false,
        servedConsole,
        Optional.empty(),
        Duration.ZERO);
  }

  public PopulatorConfig populator() {
    return new PopulatorConfig(plugins.populatorNamespace(), features.sourcesAcrossNamespaces());
  }

  public SnapshotConfig snapshots() {
    return new SnapshotConfig(
        features.groupSupport() != GroupSupport.OFF,
        csi.distributesSnapshots(),
        binder.delay().delay());
  }

  /**
   * Configuration of plugins.
   *
   * @param provisioner settings of the external-provisioner protocol
   * @param scan interval between scans of the plugin directory; zero for none
   * @param usage interval between usage measurements; zero for none
   * @param verification interval between verifications of deletions; zero for none
   * @param podsNamespace namespace for plugins' pods; "" if plugins may neither run pods nor read
   *     nodes
   * @param populatorNamespace namespace of prime claims and populator pods; "" if no volume is
   *     populated
   */
  public record PluginsConfig(
      ProvisionConfig provisioner,
      Duration scan,
      Duration usage,
      Duration verification,
      String podsNamespace,
      String populatorNamespace) {
    public static final PluginsConfig FIXED =
        new PluginsConfig(
            ProvisionConfig.DEFAULTS, Duration.ZERO, Duration.ZERO, Duration.ZERO, "", "");
  }

  /**
   * Configuration of CSI.
   *
   * @param distributesSnapshots whether the snapshot controller assigns snapshots to nodes
   */
  public record Csi(Map<String, Driver> drivers, boolean distributesSnapshots) {
    public static final Csi NONE = new Csi(Map.of(), false);

    List<CsiBridge.Driver> connect(Optional<CsiConnector> connector) {
      List<CsiBridge.Driver> connectedDrivers = new ArrayList<>();
      drivers.forEach((name, driver) ->
          connectedDrivers.add(
              new CsiBridge.Driver(
                  name,
                  driver.connect(connector.orElseThrow(() -> newConnectorException(name))),
                  driver.config(),
                  driver.names())));
      return connectedDrivers;
    }

    private static IllegalArgumentException newConnectorException(String driver) {
      return new IllegalArgumentException(
          "--csi-endpoint %s: the CSI bridge is not among the plugins: add its folder plugins-csi-bridge to the plugin directory"
              .formatted(driver));
    }
  }

  /**
   * Configuration of a CSI driver.
   *
   * @param endpoint address of its socket
   * @param names naming of its volumes and snapshots
   * @param tls mutual TLS over TCP; empty for none
   */
  public record Driver(
      String endpoint, CsiConfig config, DriverNames names, Optional<CsiConnector.Tls> tls) {
    public CsiConnection connect(CsiConnector connector) {
      return tls.isPresent()
          ? connector.connect(endpoint, tls.get(), config.calls().timeout())
          : connector.connect(endpoint, config.calls().timeout());
    }
  }
}
