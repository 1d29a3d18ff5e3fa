package dev.mooring.csi.execute;

import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.CloneWork;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.ReferenceGrantRules;
import dev.mooring.csi.state.PendingClones;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Resolves the sources of waiting copies, and releases sources. A periodic sweep finds snapshots
 * that an earlier process protected.
 *
 * @param sweepPeriod interval between sweeps; 0 for never
 */
public record CloneReconciler(
    DriverSession session,
    SourceReleaser releaser,
    Duration sweepPeriod,
    WorkQueue<CloneWork> queue) {
  public Outcome sync(CloneWork work) throws InterruptedException {
    return switch (work) {
      case CloneWork.Copy(ObjectKey claim) -> resolve(claim);
      case CloneWork.Source(CloneSource source) -> releaser.releaseIfUnused(source);
      case CloneWork.Sweep() -> sweep();
    };
  }

  private void requeueSources(Collection<CloneSource> sources) {
    sources.forEach(source -> queue.add(new CloneWork.Source(source)));
  }

  private Outcome resolve(ObjectKey copy) throws InterruptedException {
    PendingClones clones = releaser.clones();
    if (!clones.isUnresolved(copy)) {
      return Outcome.SETTLED;
    }
    switch (releaser.sources().read(copy)) {
      case ReadResult.Found<DataSource>(DataSource source) ->
          requeueSources(clones.setSource(copy, findProtectableSource(copy, source)));
      case ReadResult.Absent<DataSource> _ ->
          requeueSources(clones.setSource(copy, Optional.empty()));
      case ReadResult.Failed<DataSource>(String message) -> {
        return new Outcome.Unanswered("the data source of claim " + copy + ": " + message);
      }
    }
    return Outcome.SETTLED;
  }

  // Without grants, sources in other namespaces are not protected.
  private Optional<CloneSource> findProtectableSource(ObjectKey copy, DataSource source) {
    boolean mayCrossNamespaces = releaser.sources().acrossNamespaces();
    return source
        .toCloneSource(copy.namespace())
        .filter(s -> mayCrossNamespaces || !ReferenceGrantRules.isNeeded(source, copy.namespace()));
  }

  private Outcome sweep() throws InterruptedException {
    boolean supportsSnapshots =
        session.identity().filter(i -> i.can(DriverCapability.CREATE_DELETE_SNAPSHOT)).isPresent();
    if (!supportsSnapshots || sweepPeriod.isZero()) {
      return Outcome.SETTLED; // requeued when the driver is ready
    }
    return switch (releaser.protection().snapshots().listProtected()) {
      case ReadResult.Found<List<ObjectKey>>(List<ObjectKey> keys) -> {
        for (ObjectKey key : keys) {
          queue.add(new CloneWork.Source(new CloneSource(CloneSource.Type.SNAPSHOT, key)));
        }
        yield new Outcome.CheckAgain(sweepPeriod);
      }
      case ReadResult.Absent<List<ObjectKey>> _ -> new Outcome.CheckAgain(sweepPeriod);
      case ReadResult.Failed<List<ObjectKey>>(String message) ->
          new Outcome.Unanswered("listing snapshots: " + message);
    };
  }
}
