package dev.mooring.manager.lifecycle;

import com.google.inject.AbstractModule;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.util.Modules;
import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.audit.AuditSink;
import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderModule.InTree;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.CsiBridge;
import dev.mooring.expander.ExpandController;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.ConcurrencyWindow;
import dev.mooring.kube.EventRecorder;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.kube.LeaderElection;
import dev.mooring.kube.RateCap;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.telemetry.MetricsModule;
import dev.mooring.populator.PopulatorConfig;
import dev.mooring.protection.ProtectionConfig;
import dev.mooring.provisioner.DeletionVerifier;
import dev.mooring.provisioner.PluginProvisioners;
import dev.mooring.provisioner.UsageController;
import dev.mooring.reconcile.Compat;
import dev.mooring.snapshots.SnapshotConfig;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

final class ManagerModule extends AbstractModule {
  private final ManagerConfig config;
  private final KubeConnection connection;
  private final PluginRegistry plugins;
  private final CsiBridge.Config drivers;
  private final WriteGate gate;
  private final ManagerActions actions;

  ManagerModule(
      ManagerConfig config,
      KubeConnection connection,
      PluginRegistry plugins,
      WriteGate gate,
      ManagerActions actions) {
    this.actions = actions;
    this.drivers =
        new CsiBridge.Config(
            HostName.read(),
            new KubeListWatch<>(connection, CsiBridge.SNAPSHOT),
            config.csi().connect(plugins.csi()));
    this.config = config;
    this.connection = connection;
    this.plugins = plugins;
    this.gate = gate;
  }

  @Override
  protected void configure() {
    binder().requireExplicitBindings();
    binder().requireAtInjectOnConstructors();
    binder().requireExactBindingAnnotations();
    bind(AuditSink.class).toInstance(actions.sink());
    bind(ManagerConfig.class).toInstance(config);
    bind(KubeConnection.class).toInstance(connection);
    bind(PluginRegistry.class).toInstance(plugins);
    bind(LoadedPlugins.class).toInstance(plugins);
    bindConfigs();
    for (KnownController controller : KnownController.values()) {
      install(controller.module());
    }
    install(new MetricsModule());
  }

  private void bindConfigs() {
    bind(Compat.class).toInstance(config.binder().policy().compat());
    bind(BinderConfig.class).toInstance(config.binder());
    bind(AttachDetachConfig.class).toInstance(config.attachDetach());
    bind(PopulatorConfig.class).toInstance(config.populator());
    bind(SnapshotConfig.class).toInstance(config.snapshots());
    bind(CsiBridge.Config.class).toInstance(drivers);
    bind(PluginProvisioners.Config.class)
        .toInstance(new PluginProvisioners.Config(config.plugins().provisioner()));
    bind(UsageController.Config.class)
        .toInstance(new UsageController.Config(config.plugins().usage()));
    bind(DeletionVerifier.Config.class)
        .toInstance(new DeletionVerifier.Config(config.plugins().verification()));
    bind(ProtectionConfig.class)
        .toInstance(
            new ProtectionConfig(config.features().unusedCondition(), config.ephemeralWorkers()));
    bind(ExpandController.Scope.class)
        .toInstance(config.beside() ? ExpandController.Scope.PLUGINS : ExpandController.Scope.ALL);
  }

  Module with(Optional<Time> time) {
    return time.<Module>map(
            t -> Modules.override(this).with(binder -> binder.bind(Time.class).toInstance(t)))
        .orElse(this);
  }

  @Provides
  @Singleton
  SystemTime systemTime() {
    return new SystemTime();
  }

  @Provides
  Time time(SystemTime time) {
    return time;
  }

  @Provides
  @Singleton
  ConcurrencyWindow window(Time time) {
    return new ConcurrencyWindow(time);
  }

  @Provides
  @Singleton
  KubeCluster cluster(Time time, ConcurrencyWindow window, SharedInformers informers) {
    RateCap cap = config.qps() > 0 ? new RateCap(config.qps(), config.burst(), time) : RateCap.NONE;
    // resolved lazily, because the election writes its events through this cluster too
    return new KubeCluster(
        connection.within(gate::remaining),
        time,
        new KubeCluster.Limits(
            new ConcurrencyWindow(time), window, cap, actions.permit(gate::isOpen)),
        informers);
  }

  @Provides
  @Singleton
  SharedInformers informers() {
    return actions.informers();
  }

  @Provides
  @Singleton
  EventRecorder events(KubeCluster cluster, ConcurrencyWindow window, Time time) {
    return new EventRecorder(cluster, window, time, HostName.read());
  }

  @Provides
  @Singleton
  ClusterPorts ports(KubeCluster cluster, EventRecorder events, Time time) {
    return actions.makePorts(cluster, events, time);
  }

  @Provides
  @InTree
  LoadedPlugins inTree() {
    return config.controllers().contains(PluginProvisioners.NAME) ? plugins.inTree() : plugins;
  }

  @Provides
  @Singleton
  Optional<LeaderElection> election(EventRecorder events) {
    return config
        .election()
        .map(e ->
            LeaderElection.over(
                connection,
                e,
                events,
                new SystemTime(),
                () -> ThreadLocalRandom.current().nextDouble()));
  }
}
