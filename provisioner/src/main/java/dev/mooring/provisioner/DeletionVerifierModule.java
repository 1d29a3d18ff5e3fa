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
 * Binds the verification of deletions. Requires {@link SharedInformers}, {@link ClusterPorts} and
 * {@link LoadedPlugins}.
 */
public final class DeletionVerifierModule extends AbstractModule {
  private final Duration period;

  public DeletionVerifierModule(Duration period) {
    this.period = period;
  }

  @Provides
  @Singleton
  DeletionVerifier verifier(SharedInformers informers, ClusterPorts ports, LoadedPlugins plugins) {
    return new DeletionVerifier(informers, ports, plugins, period);
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec spec(DeletionVerifier verifier) {
    return verifier.spec();
  }
}
