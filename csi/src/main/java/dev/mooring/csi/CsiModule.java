package dev.mooring.csi;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.reconcile.GroupSpec;

/**
 * Installs the controllers of CSI drivers. Requires a {@link CsiBridge.Config}, {@link
 * dev.mooring.informer.SharedInformers}, {@link dev.mooring.cluster.ClusterPorts}, {@link
 * dev.mooring.storage.StorageProvisioner} and {@link dev.mooring.storage.DeletionBreaker}.
 */
public final class CsiModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(CsiBridge.class).in(Scopes.SINGLETON);
  }

  @ProvidesIntoSet
  @Singleton
  GroupSpec spec(CsiBridge bridge) {
    return bridge.spec();
  }
}
