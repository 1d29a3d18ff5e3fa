package dev.mooring.snapshots;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.reconcile.ControllerSpec;

/**
 * Installs the snapshot controller. Requires {@link SnapshotConfig}, {@link
 * dev.mooring.informer.SharedInformers} and {@link dev.mooring.cluster.ClusterPorts}.
 */
public final class SnapshotModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(SnapshotController.class).in(Scopes.SINGLETON);
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec spec(SnapshotController controller) {
    return controller.spec();
  }
}
