package dev.mooring.manager.lifecycle;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.snapshots.SnapshotController;
import java.util.List;

/** The snapshot controller, and what it shares with those who ask drivers for snapshots. */
final class SnapshotModule extends AbstractModule {
  private static final int PARALLELISM = 10;

  SnapshotModule() {}

  @Provides
  @Singleton
  SnapshotController.Informers informers(BinderController.Informers informers) {
    return new SnapshotController.Informers(
        new Informer<>(Kind.SNAPSHOT, SnapshotController.INDEXES),
        new Informer<>(Kind.SNAPSHOT_CONTENT, List.of()),
        new Informer<>(Kind.SNAPSHOT_CLASS, List.of()),
        informers.claims(),
        informers.volumes());
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec snapshots(SnapshotController.Informers informers, ClusterPorts ports) {
    return new SnapshotController(informers, ports, PARALLELISM).spec();
  }
}
