package dev.mooring.manager.lifecycle;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.audit.AuditSink;
import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.CsiConfig;
import dev.mooring.csi.DriverBridge;
import dev.mooring.csi.Reporters;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.provisioner.NodeInstance;
import dev.mooring.provisioner.ProvisionController;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.spi.csi.CsiConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The CSI drivers that are driven from here. */
final class CsiModule extends AbstractModule {
  private final Map<String, CsiConnection> connections;

  private CsiModule(Map<String, CsiConnection> connections) {
    this.connections = connections;
  }

  /**
   * With connections to the drivers that the configuration names.
   *
   * @throws IllegalArgumentException if one cannot be; the message names the flag and the remedy
   */
  static CsiModule of(ManagerConfig.Csi csi, PluginRegistry plugins) {
    Map<String, CsiConnection> connections = new LinkedHashMap<>();
    csi.drivers()
        .forEach((driver, settings) ->
            connections.put(
                driver,
                settings.connect(
                    plugins
                        .csi()
                        .orElseThrow(() ->
                            new IllegalArgumentException(
                                "--csi-endpoint "
                                    + driver
                                    + ": the CSI bridge is not among the plugins: put its folder"
                                    + " plugins-csi-bridge into the plugin directory")))));
    return new CsiModule(connections);
  }

  @ProvidesIntoSet
  Controller csiController(CsiBridge bridge) {
    return bridge;
  }

  @Provides
  DriverBridge.Cluster cluster(
      SharedInformers informers, KubeConnection connection, ClusterPorts ports) {
    return new DriverBridge.Cluster(
        informers, new KubeListWatch<>(connection, DriverBridge.SNAPSHOT), ports);
  }

  @Provides
  @Singleton
  CsiBridge csiBridge(
      ManagerConfig config,
      DriverBridge.Cluster cluster,
      BinderController binder,
      AuditSink audit) {
    ProvisionController.WithBinder shared =
        new ProvisionController.WithBinder(binder.breaker(), binder.saved());
    List<CsiBridge.Driven> drivers = new ArrayList<>();
    connections.forEach(
        (driver, connection) -> drivers.add(driven(driver, connection, config, cluster, shared)));
    return new CsiBridge(
        drivers, spec -> new ControllerRuntime(spec, cluster.ports().time(), audit));
  }

  private static String reporter(String driver) {
    return Reporters.provisioner(driver, Manager.host(), UUID.randomUUID().toString());
  }

  private static Optional<ProvisionController.OnNode> onNode(CsiConfig csi, DriverBridge bridge) {
    return csi.node()
        .flatMap(n ->
            bridge
                .storage()
                .map(storage ->
                    new ProvisionController.OnNode(
                        new NodeInstance(n.node(), n.immediateToo(), n.baseDelay(), n.maxDelay()),
                        storage,
                        () -> ThreadLocalRandom.current().nextDouble())));
  }

  private static CsiBridge.Driven driven(
      String driver,
      CsiConnection connection,
      ManagerConfig config,
      DriverBridge.Cluster cluster,
      ProvisionController.WithBinder shared) {
    ManagerConfig.Driver settings = Objects.requireNonNull(config.csi().drivers().get(driver));
    CsiConfig csi = settings.config();
    DriverBridge bridge = new DriverBridge(driver, connection, csi, cluster);
    return new CsiBridge.Driven(
        bridge,
        new ProvisionController(
            new ProvisionController.Storage("csi-provisioner-" + driver, bridge.volumes()),
            new ProvisionController.Config(
                csi.workers(),
                csi.firstRetry(),
                csi.lastRetry(),
                reporter(driver),
                settings.names(),
                onNode(csi, bridge)),
            cluster.informers(),
            cluster.ports(),
            shared));
  }
}
