package dev.mooring.expander;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.reconcile.ControllerSpec;

/**
 * Installs the expand controller. Requires an {@link ExpandController.Scope}, {@link
 * dev.mooring.reconcile.Compat}, {@link dev.mooring.informer.SharedInformers}, {@link
 * dev.mooring.cluster.ClusterPorts} and {@link dev.mooring.storage.LoadedPlugins}.
 */
public final class ExpandModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(ExpandController.class).in(Scopes.SINGLETON);
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec spec(ExpandController controller) {
    return controller.spec();
  }
}
