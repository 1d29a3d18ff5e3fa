package dev.mooring.manager.lifecycle;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderController;
import dev.mooring.binder.BinderModule;
import dev.mooring.informer.Informer;
import dev.mooring.kube.ConcurrencyWindow;
import dev.mooring.kube.EventRecorder;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.RateCap;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.protection.ProtectionController;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** The root of the assembly: explicit bindings only. */
final class ManagerModule extends AbstractModule {
  private final ManagerConfig config;
  private final KubeConnection connection;
  private final PluginRegistry plugins;

  ManagerModule(ManagerConfig config, KubeConnection connection, PluginRegistry plugins) {
    this.config = config;
    this.connection = connection;
    this.plugins = plugins;
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
  KubeCluster cluster(Time time, BinderController.Informers informers) {
    RateCap cap = config.qps() > 0 ? new RateCap(config.qps(), config.burst(), time) : RateCap.NONE;
    KubeCluster cluster = new KubeCluster(connection, time, new ConcurrencyWindow(time), cap);
    cluster.feed(informers.claims());
    cluster.feed(informers.volumes());
    return cluster;
  }

  @Provides
  @Singleton
  BinderController.Informers informers() {
    return new BinderController.Informers(
        new Informer<Claim>(Kind.CLAIM, List.of()),
        new Informer<Volume>(Kind.VOLUME, List.of()),
        new Informer<StorageClass>(Kind.STORAGE_CLASS, List.of()),
        new Informer<Pod>(Kind.POD, List.of(BinderController.PODS_BY_CLAIM)));
  }

  @Provides
  @Singleton
  EventRecorder events(KubeCluster cluster, Time time) {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      host = "localhost";
    }
    return new EventRecorder(cluster, time, host);
  }

  @Provides
  @Singleton
  BinderController.Ports ports(KubeCluster cluster, EventRecorder events, Time time) {
    return new BinderController.Ports(cluster, cluster, events, plugins, time);
  }

  @Provides
  @Singleton
  ProtectionController protection(
      BinderController.Informers informers, KubeCluster cluster, Time time) {
    return new ProtectionController(
        informers.claims(),
        informers.volumes(),
        informers.pods(),
        BinderController.PODS_BY_CLAIM,
        cluster,
        time);
  }
}
