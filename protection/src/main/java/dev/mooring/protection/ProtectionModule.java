package dev.mooring.protection;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.reconcile.ControllerSpec;

/**
 * Installs the protection of claims, volumes and classes, and the controller of generic ephemeral
 * volumes. Requires a {@link ProtectionConfig}, {@link dev.mooring.reconcile.Compat}, {@link
 * dev.mooring.informer.SharedInformers}, {@link dev.mooring.cluster.ClusterPorts}, {@link
 * dev.mooring.storage.ProtectionHandover} and {@link dev.mooring.storage.DeletionDelay}.
 */
public final class ProtectionModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(ClaimProtection.class).in(Scopes.SINGLETON);
    bind(VolumeProtection.class).in(Scopes.SINGLETON);
    bind(AttributesClassProtection.class).in(Scopes.SINGLETON);
    bind(EphemeralVolumes.class).in(Scopes.SINGLETON);
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec claims(ClaimProtection controller) {
    return controller.spec();
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec volumes(VolumeProtection controller) {
    return controller.spec();
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec classes(AttributesClassProtection controller) {
    return controller.spec();
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec ephemeral(EphemeralVolumes controller) {
    return controller.spec();
  }
}
