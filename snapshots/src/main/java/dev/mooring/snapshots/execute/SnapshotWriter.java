package dev.mooring.snapshots.execute;

import static dev.mooring.snapshots.execute.CommonWriter.SPEC;
import static dev.mooring.snapshots.execute.CommonWriter.STATUS;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
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
import dev.mooring.snapshots.decide.Words;
import dev.mooring.time.Time;

/**
 * Does what was decided: one write each, which brings the snapshot back if there is more to do.
 * Thread-safe.
 */
public final class SnapshotWriter {
  private final CommonWriter<VolumeSnapshot, SnapshotContent> common;

  /** Writes there. */
  public SnapshotWriter(ClusterWriter writer, EventSink events, Time time) {
    this.common =
        new CommonWriter<>(
            new CommonWriter.Form<>(
                Words.SNAPSHOT,
                "snapshot",
                Kind.SNAPSHOT,
                Kind.SNAPSHOT_CONTENT,
                SnapshotContent.BOUND_PROTECTION,
                SnapshotContent.BEING_DELETED),
            writer,
            events,
            time);
  }

  /** Does it. */
  public Outcome apply(VolumeSnapshot snapshot, SnapshotStep step) throws InterruptedException {
    return switch (step) {
      case CommonStep alike ->
          common.apply(snapshot, snapshot.status().ready(), snapshot.status().problem(), alike);
      case SnapshotStep.CreateContent wanted ->
          common.create(snapshot, wanted.name(), content(snapshot, wanted));
      case SnapshotStep.Bind(SnapshotContent content, String className) ->
          common.bind(snapshot, content, className);
      case SnapshotStep.Show show -> show(snapshot, show);
      case SnapshotStep.MarkContent(SnapshotContent content) -> common.mark(content);
      case SnapshotStep.UnmarkContent(SnapshotContent content) -> common.unmark(content);
      case SnapshotStep.DeleteContent(SnapshotContent content) -> common.delete(snapshot, content);
    };
  }

  /** No snapshot is made of the claim any more: it may go. */
  public Outcome letGo(Claim claim) throws InterruptedException {
    return common.finalizers(
        claim, claim.meta().finalizersWithout(VolumeSnapshot.CLAIM_PROTECTION));
  }

  /** The content is held for its snapshot; one that cannot be one as it is is told so. */
  public Outcome content(SnapshotContent content) throws InterruptedException {
    return common.content(
        content, ContentDecider.flaw(content), ContentDecider.isToBeHeld(content));
  }

  private static Document content(VolumeSnapshot snapshot, SnapshotStep.CreateContent wanted) {
    Document object =
        GroupDocuments.contentFor(snapshot, wanted.name(), wanted.handle())
            .set(wanted.snapshotClass().meta().name(), SPEC, "volumeSnapshotClassName")
            .set(wanted.snapshotClass().driver(), SPEC, "driver")
            .set(wanted.snapshotClass().policy().toString(), SPEC, "deletionPolicy")
            .set(wanted.volume().volumeMode().toString(), SPEC, "sourceVolumeMode");
    Secret secret = wanted.secret();
    return GroupDocuments.withCredentials(object, secret.namespace(), secret.name());
  }

  private Outcome show(VolumeSnapshot snapshot, SnapshotStep.Show show)
      throws InterruptedException {
    VolumeSnapshot.Status now = show.now();
    Document patch =
        common.status(snapshot, now.content(), now.ready(), now.created(), now.problem());
    if (!now.group().isEmpty()) {
      patch.set(now.group(), STATUS, "volumeGroupSnapshotName");
    }
    now.restoreSize().map(Quantity::toString).ifPresent(s -> patch.set(s, STATUS, "restoreSize"));
    return common.show(snapshot, patch, show.created(), show.ready());
  }
}
