package dev.mooring.manager.lifecycle;

import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.binder.BinderConfig;
import dev.mooring.csi.CsiConfig;
import dev.mooring.kube.LeaderElection;
import dev.mooring.provisioner.ProvisionController;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How a controller-manager runs.
 *
 * @param binder how the binder runs
 * @param attachDetach how the attach/detach controller runs
 * @param csi the CSI drivers that are driven from here
 * @param provisioner how plugins provision by the external-provisioner protocol
 * @param pluginScan how often the plugin directory is looked at, zero for never
 * @param controllers the controllers that run, by name
 * @param ephemeralWorkers pods whose generic ephemeral volumes are worked on at once, at least 1
 * @param election how one leader among replicas is found, empty for no election
 * @param qps writes per second at most, 0 for no cap
 * @param burst writes at once at most, where there is a cap
 * @param endpoints where health and metrics are answered, empty for nowhere
 * @param fallBackToAnyPort whether any port will do if that one is taken
 * @param grace how long a stop may take
 */
public record ManagerConfig(
    BinderConfig binder,
    AttachDetachConfig attachDetach,
    Csi csi,
    ProvisionController.Config provisioner,
    Duration pluginScan,
    Set<String> controllers,
    int ephemeralWorkers,
    Optional<LeaderElection.Config> election,
    double qps,
    int burst,
    Optional<InetSocketAddress> endpoints,
    boolean fallBackToAnyPort,
    Duration grace) {
  /**
   * CSI drivers.
   *
   * @param endpoints where they listen, by their names
   * @param config how they are driven
   */
  public record Csi(Map<String, String> endpoints, CsiConfig config) {
    /** No drivers. */
    public static final Csi NONE = new Csi(Map.of(), CsiConfig.DEFAULTS);
  }
}
