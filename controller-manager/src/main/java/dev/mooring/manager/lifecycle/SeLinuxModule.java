package dev.mooring.manager.lifecycle;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.SharedInformers;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.selinux.SeLinuxWarningController;

/** The warnings about SELinux labels, with pods of their own: nobody else asks what they mount. */
final class SeLinuxModule extends AbstractModule {
  SeLinuxModule() {}

  @Provides
  @Singleton
  SeLinuxWarningController controller(SharedInformers informers, ClusterPorts ports) {
    return new SeLinuxWarningController(informers, ports);
  }

  @ProvidesIntoSet
  ControllerSpec warning(SeLinuxWarningController controller) {
    return controller.spec();
  }
}
