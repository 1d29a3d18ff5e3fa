package dev.mooring.selinux;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.reconcile.ControllerSpec;

/**
 * Installs the SELinux warning controller. Requires {@link dev.mooring.informer.SharedInformers}
 * and {@link dev.mooring.cluster.ClusterPorts}.
 */
public final class SeLinuxModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(SeLinuxWarningController.class).in(Scopes.SINGLETON);
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec spec(SeLinuxWarningController controller) {
    return controller.spec();
  }
}
