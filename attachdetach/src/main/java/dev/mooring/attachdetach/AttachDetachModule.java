package dev.mooring.attachdetach;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.reconcile.ControllerSpec;

/**
 * Installs the attach/detach controller. Requires an {@link AttachDetachConfig}, {@link
 * dev.mooring.informer.SharedInformers}, {@link dev.mooring.cluster.ClusterPorts} and {@link
 * dev.mooring.storage.LoadedPlugins}.
 */
public final class AttachDetachModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(AttachDetachController.class).in(Scopes.SINGLETON);
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec spec(AttachDetachController controller) {
    return controller.spec();
  }
}
