package dev.mooring.attachdetach;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.SharedInformers;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.storage.LoadedPlugins;

/**
 * Installs the controller of out-of-service taints. Requires {@link SharedInformers}, {@link
 * ClusterPorts} and {@link LoadedPlugins}.
 */
public final class OutOfServiceModule extends AbstractModule {
  public OutOfServiceModule() {}

  @Provides
  @Singleton
  OutOfServiceController controller(
      SharedInformers informers, ClusterPorts ports, LoadedPlugins plugins) {
    return new OutOfServiceController(informers, ports, plugins);
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec spec(OutOfServiceController controller) {
    return controller.spec();
  }
}
