package dev.mooring.manager.lifecycle;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderController;
import dev.mooring.binder.BinderModule;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.DriverBridge;
import dev.mooring.expander.ExpandController;
import dev.mooring.informer.Informer;
import dev.mooring.kube.ConcurrencyWindow;
import dev.mooring.kube.EventRecorder;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeEvents;
import dev.mooring.kube.LeaderElection;
import dev.mooring.kube.RateCap;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.Attachment;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.operation.Plugins;
import dev.mooring.protection.AttributesClassProtection;
import dev.mooring.protection.ClaimProtection;
import dev.mooring.protection.EphemeralVolumes;
import dev.mooring.protection.VolumeProtection;
import dev.mooring.provisioner.ProvisionController;
import dev.mooring.provisioner.execute.PluginVolumes;
import dev.mooring.provisioner.usage.UsageController;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.snapshots.SnapshotController;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The root of the assembly: explicit bindings only. */
final class ManagerModule extends AbstractModule {
  private final ManagerConfig config;
  private final KubeConnection connection;
  private final PluginRegistry plugins;
  private final WriteGate gate;

  ManagerModule(
      ManagerConfig config, KubeConnection connection, PluginRegistry plugins, WriteGate gate) {
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
    bind(ManagerConfig.class).toInstance(config);
    bind(BinderConfig.class).toInstance(config.binder());
    bind(KubeConnection.class).toInstance(connection);
    bind(PluginRegistry.class).toInstance(plugins);
    install(new BinderModule());
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
  KubeCluster cluster(
      Time time,
      BinderController.Informers informers,
      Informer<Node> nodes,
      Informer<Attachment> attachments,
      SnapshotController.Informers snapshots) {
    RateCap cap = config.qps() > 0 ? new RateCap(config.qps(), config.burst(), time) : RateCap.NONE;
    // looked up when it is asked: events, which the election tells, are written through here too
    KubeCluster cluster =
        new KubeCluster(
            connection.within(gate::left), time, new ConcurrencyWindow(time), cap, gate::isOpen);
    cluster.feed(informers.claims());
    cluster.feed(informers.volumes());
    cluster.feed(informers.pods());
    cluster.feed(nodes);
    cluster.feed(attachments);
    cluster.feed(snapshots.snapshots());
    cluster.feed(snapshots.contents());
    return cluster;
  }

  @Provides
  @Singleton
  BinderController.Informers informers(Informer<Node> nodes) {
    return new BinderController.Informers(
        new Informer<Claim>(Kind.CLAIM, List.of()),
        new Informer<Volume>(Kind.VOLUME, List.of()),
        new Informer<StorageClass>(Kind.STORAGE_CLASS, List.of()),
        new Informer<Pod>(
            Kind.POD, List.of(BinderController.PODS_BY_CLAIM, AttachDetachController.PODS_BY_NODE)),
        nodes);
  }

  @Provides
  @Singleton
  Informer<Node> nodes() {
    return new Informer<>(Kind.NODE, List.of());
  }

  @Provides
  @Singleton
  Informer<Attachment> attachments() {
    return new Informer<>(Kind.ATTACHMENT, List.of(DriverBridge.ATTACHMENTS_BY_VOLUME));
  }

  @Provides
  @Singleton
  Informer<CsiDriver> drivers() {
    return new Informer<>(Kind.CSI_DRIVER, List.of());
  }

  @Provides
  @Singleton
  AttachDetachController attachDetachController(
      BinderController.Informers informers,
      Informer<Node> nodes,
      Informer<Attachment> attachments,
      Informer<CsiDriver> drivers,
      ClusterPorts ports) {
    AttachDetachController controller =
        new AttachDetachController(
            config.attachDetach(),
            new AttachDetachController.Informers(
                informers.pods(),
                BinderController.PODS_BY_CLAIM,
                informers.claims(),
                informers.volumes(),
                nodes,
                attachments,
                drivers),
            ports,
            plugins);
    plugins.onChange(changed -> controller.pluginsChanged());
    return controller;
  }

  @Provides
  @Singleton
  EventRecorder events(KubeCluster cluster, Time time) {
    return new EventRecorder(cluster, time, host());
  }

  /** This machine's name, for people. */
  static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }

  @Provides
  @Singleton
  ClusterPorts ports(KubeCluster cluster, EventRecorder events, Time time) {
    return new ClusterPorts(cluster, cluster, events, new KubeEvents(cluster), time);
  }

  /** What the provisioner controller serves is none of the binder's business. */
  @Provides
  Plugins plugins() {
    return config.controllers().contains(PluginProvisioners.NAME) ? plugins.inTree() : plugins;
  }

  @Provides
  @Singleton
  Informer<AttributesClass> attributesClasses() {
    return new Informer<>(Kind.ATTRIBUTES_CLASS, List.of());
  }

  @Provides
  ClaimProtection.Pods pods(BinderController.Informers informers) {
    return new ClaimProtection.Pods(informers.pods(), BinderController.PODS_BY_CLAIM);
  }

  // the order of these is the order of start

  @ProvidesIntoSet
  ControllerSpec binder(BinderController binder) {
    return binder.spec();
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec claimProtection(
      BinderController.Informers informers, ClaimProtection.Pods pods, ClusterPorts ports) {
    return new ClaimProtection(
            informers.claims(),
            pods,
            ports,
            new ClaimProtection.Rules(
                config.binder().policy().kubernetes(), config.features().unusedClaims()))
        .spec();
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec volumeProtection(
      BinderController.Informers informers, KubeCluster cluster, Time time) {
    return new VolumeProtection(informers.volumes(), cluster, time).spec();
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec attributesClassProtection(
      Informer<AttributesClass> classes,
      BinderController.Informers informers,
      KubeCluster cluster,
      Time time) {
    return new AttributesClassProtection(
            classes, informers.claims(), informers.volumes(), cluster, time)
        .spec();
  }

  @Provides
  @Singleton
  EphemeralVolumes ephemeralVolumes(
      BinderController.Informers informers, ClaimProtection.Pods pods, ClusterPorts ports) {
    return new EphemeralVolumes(
        informers.claims(),
        pods,
        ports,
        config.ephemeralWorkers(),
        config.binder().policy().kubernetes());
  }

  @ProvidesIntoSet
  ControllerSpec ephemeral(EphemeralVolumes controller) {
    return controller.spec();
  }

  @ProvidesIntoSet
  ControllerSpec attachDetach(AttachDetachController controller) {
    return controller.spec();
  }

  @ProvidesIntoSet
  Controller provisioners(PluginProvisioners provisioners) {
    return provisioners;
  }

  @Provides
  @Singleton
  PluginProvisioners pluginProvisioners(
      BinderController.Informers informers, ClusterPorts ports, BinderController binder) {
    ProvisionController.Informers known =
        new ProvisionController.Informers(
            informers.claims(), informers.volumes(), informers.classes());
    return new PluginProvisioners(
        plugins,
        known,
        plugin ->
            new ProvisionController(
                "provisioner-" + plugin.name(),
                config.plugins().provisioner().withReporter(plugin.name()),
                new PluginVolumes(plugin, () -> plugins.named(plugin.name()).isPresent()),
                known,
                ports,
                binder.breaker()),
        ports.time());
  }

  @ProvidesIntoSet
  ControllerSpec usage(UsageController controller) {
    return controller.spec();
  }

  @Provides
  @Singleton
  UsageController usageController(BinderController.Informers informers, ClusterPorts ports) {
    return new UsageController(
        informers.claims(), informers.volumes(), ports, plugins, config.plugins().usage());
  }

  @ProvidesIntoSet
  ControllerSpec expander(ExpandController controller) {
    return controller.spec();
  }

  @Provides
  @Singleton
  ExpandController expandController(BinderController.Informers informers, ClusterPorts ports) {
    ExpandController controller =
        new ExpandController(
            informers.claims(),
            informers.volumes(),
            ports,
            plugins,
            config.beside() ? ExpandController.Scope.PLUGINS : ExpandController.Scope.ALL,
            config.binder().policy().kubernetes());
    plugins.onChange(changed -> controller.pluginsChanged());
    return controller;
  }

  @Provides
  @Singleton
  Optional<LeaderElection> election(EventRecorder events, Time time) {
    return config
        .election()
        .map(e -> {
          // past the gate, the window and the cap, all of which wait for it; and a try that hangs
          // leaves time for another
          KubeCluster direct =
              KubeCluster.impatient(connection, e.renewDeadline().dividedBy(2), time);
          return new LeaderElection(
              e,
              new LeaderElection.Ports(
                  direct,
                  direct,
                  events,
                  new SystemTime(), // with a timer that nobody else keeps busy
                  () -> ThreadLocalRandom.current().nextDouble()));
        });
  }
}
