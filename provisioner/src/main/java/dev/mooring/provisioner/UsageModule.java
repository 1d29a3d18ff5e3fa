package dev.mooring.provisioner;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.SharedInformers;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.storage.LoadedPlugins;
import java.time.Duration;

/**
 * Binds usage measurement. Requires {@link SharedInformers}, {@link ClusterPorts} and {@link
 * LoadedPlugins}.
 */
public final class UsageModule extends AbstractModule {
  private final Duration period;

  public UsageModule(Duration period) {
    this.period = period;
  }

  @Provides
  @Singleton
  UsageController controller(SharedInformers informers, ClusterPorts ports, LoadedPlugins plugins) {
    return new UsageController(informers, ports, plugins, period);
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec spec(UsageController controller) {
    return controller.spec();
  }
}
