package dev.mooring.snapshots.execute;

import static dev.mooring.snapshots.execute.CommonWriter.SPEC;
import static dev.mooring.snapshots.execute.CommonWriter.STATUS;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Quantity;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotParameters.Secret;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.reconcile.Outcome;
import dev.mooring.snapshots.decide.CommonStep;
import dev.mooring.snapshots.decide.ContentDecider;
import dev.mooring.snapshots.decide.SnapshotStep;
import dev.mooring.snapshots.decide.SnapshotTerms;
import java.util.Optional;

/**
 * Executes the steps of snapshots. Each step is one write; its watch event requeues the snapshot.
 * Thread-safe.
 */
public final class SnapshotWriter {
  private final CommonWriter<VolumeSnapshot, SnapshotContent> common;

  private final SnapshotCondemner condemner;

  public SnapshotWriter(ClusterPorts ports) {
    this.condemner = new SnapshotCondemner(ports);
    this.common =
        new CommonWriter<>(
            new CommonWriter.ContentForm<>(
                SnapshotTerms.SNAPSHOT,
                "snapshot",
                Kind.SNAPSHOT,
                Kind.SNAPSHOT_CONTENT,
                SnapshotContent.BOUND_PROTECTION,
                SnapshotContent.BEING_DELETED),
            ports.writer(),
            ports.events(),
            ports.time());
  }

  public Outcome apply(VolumeSnapshot snapshot, SnapshotStep step) throws InterruptedException {
    return switch (step) {
      case CommonStep shared ->
          common.apply(snapshot, snapshot.status().ready(), snapshot.status().problem(), shared);
      case SnapshotStep.CreateContent create ->
          common.create(
              snapshot, snapshot.status().problem(), create.name(), buildContent(snapshot, create));
      case SnapshotStep.WriteStatus write -> writeStatus(snapshot, write);
      case SnapshotStep.CondemnContent condemnation -> condemner.condemn(snapshot, condemnation);
    };
  }

  public Outcome releaseClaim(Claim claim) throws InterruptedException {
    return common.release(claim);
  }

  public Outcome reconcileContent(SnapshotContent content) throws InterruptedException {
    Optional<Outcome> outcome = condemner.check(content);
    return outcome.isPresent()
        ? outcome.get()
        : common.reconcileContent(
            content, ContentDecider.findFlaw(content), ContentDecider.needsFinalizer(content));
  }

  private static Document buildContent(VolumeSnapshot snapshot, SnapshotStep.CreateContent create) {
    Document object =
        GroupDocuments.buildContentBase(snapshot, create.name(), create.handle())
            .set(create.snapshotClass().meta().name(), SPEC, "volumeSnapshotClassName")
            .set(create.snapshotClass().driver(), SPEC, "driver")
            .set(create.snapshotClass().policy().toString(), SPEC, "deletionPolicy")
            .set(create.volume().volumeMode().toString(), SPEC, "sourceVolumeMode");
    if (!create.node().isEmpty()) {
      object.set(create.node(), "metadata", "labels", SnapshotContent.MANAGED_BY);
    }
    Secret secret = create.secret();
    return GroupDocuments.addCredentials(object, secret.namespace(), secret.name());
  }

  private Outcome writeStatus(VolumeSnapshot snapshot, SnapshotStep.WriteStatus write)
      throws InterruptedException {
    VolumeSnapshot.Status newStatus = write.newStatus();
    Document patch =
        common.buildStatus(
            snapshot,
            newStatus.content(),
            newStatus.ready(),
            newStatus.created(),
            newStatus.problem());
    if (!newStatus.group().isEmpty()) {
      patch.set(newStatus.group(), STATUS, "volumeGroupSnapshotName");
    }
    newStatus
        .restoreSize()
        .map(Quantity::toString)
        .ifPresent(s -> patch.set(s, STATUS, "restoreSize"));
    return common.writeStatus(snapshot, patch, write.becomesCreated(), write.becomesReady());
  }
}
