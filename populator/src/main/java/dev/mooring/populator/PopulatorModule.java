package dev.mooring.populator;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.reconcile.ControllerSpec;

/**
 * Installs the controllers of claims with data sources. Requires {@link PopulatorConfig}, {@link
 * dev.mooring.storage.LoadedPlugins}, {@link dev.mooring.informer.SharedInformers} and {@link
 * dev.mooring.cluster.ClusterPorts}.
 */
public final class PopulatorModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(PopulationController.class).in(Scopes.SINGLETON);
    bind(DataSourceValidator.class).in(Scopes.SINGLETON);
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec population(PopulationController controller) {
    return controller.spec();
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec validation(DataSourceValidator validator) {
    return validator.spec();
  }
}
