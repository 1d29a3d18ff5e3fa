package dev.mooring.binder;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.SharedInformers;
import dev.mooring.operation.Plugins;

/**
 * Wires the binder. Needs {@link BinderConfig}, {@link BinderController.Informers}, {@link
 * ClusterPorts} and {@link Plugins}.
 */
public final class BinderModule extends AbstractModule {
  @Provides
  @Singleton
  BinderController controller(
      BinderConfig config, SharedInformers informers, ClusterPorts ports, Plugins plugins) {
    return new BinderController(config, informers, ports, plugins);
  }
}
