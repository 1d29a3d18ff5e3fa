package dev.mooring.binder;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.SavedVolumes;

/**
 * Installs the binder. Requires a {@link BinderConfig}, {@link
 * dev.mooring.informer.SharedInformers}, {@link dev.mooring.cluster.ClusterPorts} and {@link
 * dev.mooring.storage.LoadedPlugins} annotated with {@link InTree}. Provides its {@link
 * DeletionBreaker} and {@link SavedVolumes} to provisioners in the same process.
 */
public final class BinderModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(BinderController.class).in(Scopes.SINGLETON);
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec spec(BinderController controller) {
    return controller.spec();
  }

  @Provides
  DeletionBreaker breaker(BinderController controller) {
    return controller.breaker();
  }

  @Provides
  SavedVolumes saved(BinderController controller) {
    return controller.saved();
  }
}
