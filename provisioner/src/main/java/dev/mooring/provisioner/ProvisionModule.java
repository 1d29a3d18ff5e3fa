package dev.mooring.provisioner;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.reconcile.GroupSpec;
import dev.mooring.storage.StorageProvisioner;

/**
 * Binds plugin provisioning and {@link StorageProvisioner}, by which other modules provision in
 * their storages. Requires {@link PluginProvisioners.Config}, {@link
 * dev.mooring.informer.SharedInformers}, {@link dev.mooring.cluster.ClusterPorts}, {@link
 * dev.mooring.storage.LoadedPlugins}, {@link dev.mooring.storage.DeletionGuards}, {@link
 * dev.mooring.storage.SavedVolumes} and {@link dev.mooring.storage.ProtectionHandover}.
 */
public final class ProvisionModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(SharedState.class).in(Scopes.SINGLETON);
    bind(ProvisionControllers.class).in(Scopes.SINGLETON);
    bind(StorageProvisioner.class).to(ProvisionControllers.class);
    bind(UnservedClaims.class).in(Scopes.SINGLETON);
    bind(PluginProvisioners.class).in(Scopes.SINGLETON);
  }

  @ProvidesIntoSet
  @Singleton
  GroupSpec spec(PluginProvisioners provisioners) {
    return provisioners.spec();
  }
}
