package dev.mooring.manager.lifecycle;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.SharedInformers;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.snapshots.SnapshotController;

/** The snapshot controller. */
final class SnapshotModule extends AbstractModule {
  private static final int PARALLELISM = 10;

  SnapshotModule() {}

  @ProvidesIntoSet
  @Singleton
  ControllerSpec snapshots(SharedInformers informers, ClusterPorts ports) {
    return new SnapshotController(informers, ports, PARALLELISM).spec();
  }
}
