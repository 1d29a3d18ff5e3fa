package dev.mooring.snapshots.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.reconcile.Outcome;
import dev.mooring.snapshots.decide.ContentDecider;
import dev.mooring.snapshots.decide.SnapshotStep;
import dev.mooring.time.Time;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Does what was decided: one write each, which brings the snapshot back if there is more to do.
 * Thread-safe.
 */
public final class SnapshotWriter {
  private static final String REPORTER = "snapshot-controller";
  private static final String METADATA = "metadata";
  private static final String STATUS = "status";
  private static final String SPEC = "spec";
  private static final String FINALIZERS = "finalizers";
  private static final String ANNOTATIONS = "annotations";

  private final ClusterWriter writer;
  private final EventSink events;
  private final Time time;

  /** Writes there. */
  public SnapshotWriter(ClusterWriter writer, EventSink events, Time time) {
    this.writer = writer;
    this.events = events;
    this.time = time;
  }

  /** Does it. */
  public Outcome apply(VolumeSnapshot snapshot, SnapshotStep step) throws InterruptedException {
    return switch (step) {
      case SnapshotStep.Rest() -> Outcome.SETTLED;
      case SnapshotStep.Report report -> report(snapshot, report);
      case SnapshotStep.SetClass(String name) ->
          patch(
              "giving snapshot " + snapshot.key() + " its class",
              snapshot,
              Document.patchOf(snapshot.meta()).set(name, SPEC, "volumeSnapshotClassName"));
      case SnapshotStep.SetFinalizers(List<String> finalizers) ->
          patch(
              "finalizers of snapshot " + snapshot.key(),
              snapshot,
              Document.patchOf(snapshot.meta()).set(finalizers, METADATA, FINALIZERS));
      case SnapshotStep.HoldClaim(Claim claim) ->
          finalizers(claim, claim.meta().finalizersWith(VolumeSnapshot.CLAIM_PROTECTION));
      case SnapshotStep.CreateContent wanted -> create(snapshot, wanted);
      case SnapshotStep.Bind(SnapshotContent content, String className) ->
          bind(snapshot, content, className);
      case SnapshotStep.Show show -> show(snapshot, show);
      case SnapshotStep.MarkContent(SnapshotContent content) ->
          Outcome.after(
              "marking content " + content.key(),
              writer.patch(
                  Kind.SNAPSHOT_CONTENT,
                  content.key(),
                  Document.patchOf(content.meta())
                      .set("yes", METADATA, ANNOTATIONS, SnapshotContent.BEING_DELETED)));
      case SnapshotStep.DeleteContent(SnapshotContent content) -> delete(snapshot, content);
      case SnapshotStep.Wait(String reason, String message) -> {
        tell(snapshot, ClusterEvent.Type.WARNING, reason, message);
        yield Outcome.SETTLED;
      }
    };
  }

  private Outcome patch(String what, VolumeSnapshot snapshot, Document patch)
      throws InterruptedException {
    return Outcome.after(what, writer.patch(Kind.SNAPSHOT, snapshot.key(), patch));
  }

  /** No snapshot is made of the claim any more: it may go. */
  public Outcome letGo(Claim claim) throws InterruptedException {
    return finalizers(claim, claim.meta().finalizersWithout(VolumeSnapshot.CLAIM_PROTECTION));
  }

  private Outcome finalizers(Claim claim, List<String> finalizers) throws InterruptedException {
    return Outcome.after(
        "finalizers of claim " + claim.key(),
        writer.patch(
            Kind.CLAIM,
            claim.key(),
            Document.patchOf(claim.meta()).set(finalizers, METADATA, FINALIZERS)));
  }

  /** The content is held for its snapshot. */
  public Outcome hold(SnapshotContent content) throws InterruptedException {
    return Outcome.after(
        "holding content " + content.key(),
        writer.patch(
            Kind.SNAPSHOT_CONTENT,
            content.key(),
            Document.patchOf(content.meta())
                .set(
                    content.meta().finalizersWith(SnapshotContent.BOUND_PROTECTION),
                    METADATA,
                    FINALIZERS)));
  }

  /** The content cannot be one as it is. */
  public void refuse(SnapshotContent content) {
    events.tell(
        new ClusterEvent(
            Kind.SNAPSHOT_CONTENT,
            content.meta(),
            ClusterEvent.Type.WARNING,
            "ContentValidationError",
            "ContentValidationError",
            ContentDecider.flaw(content),
            REPORTER));
  }

  private Outcome report(VolumeSnapshot snapshot, SnapshotStep.Report report)
      throws InterruptedException {
    boolean said = snapshot.status().problem().message().equals(report.message());
    if (said && !(report.notReady() && snapshot.status().ready())) {
      return Outcome.SETTLED;
    }
    Document patch =
        Document.patchOf(snapshot.meta())
            .set(
                problem(new Problem(time.now().getEpochSecond(), report.message())),
                STATUS,
                "error");
    if (report.notReady()) {
      patch.set(false, STATUS, "readyToUse");
    }
    WriteResult<VolumeSnapshot> written = writer.patchStatus(Kind.SNAPSHOT, snapshot.key(), patch);
    if (written.written().isPresent()) {
      tell(snapshot, ClusterEvent.Type.WARNING, report.reason(), report.message());
    }
    return Outcome.after("status of snapshot " + snapshot.key(), written);
  }

  static @Nullable Map<String, Object> problem(Problem problem) {
    if (problem.isNone()) {
      return null;
    }
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("message", problem.message());
    if (problem.time() != 0) {
      error.put("time", Instant.ofEpochSecond(problem.time()).toString());
    }
    return error;
  }

  private Outcome create(VolumeSnapshot snapshot, SnapshotStep.CreateContent wanted)
      throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(wanted.name());
    WriteResult<SnapshotContent> written =
        writer.create(Kind.SNAPSHOT_CONTENT, key, content(snapshot, wanted));
    if (written.written().isPresent()) {
      tell(
          snapshot,
          ClusterEvent.Type.NORMAL,
          "CreatingSnapshot",
          "Waiting for a snapshot " + snapshot.key() + " to be created by the CSI driver.");
    }
    return Outcome.after("making content " + key, written);
  }

  private static Document content(VolumeSnapshot snapshot, SnapshotStep.CreateContent wanted) {
    Document object =
        Document.empty()
            .set(wanted.name(), METADATA, "name")
            .set(List.of(SnapshotContent.BOUND_PROTECTION), METADATA, FINALIZERS)
            .set(Kind.SNAPSHOT.apiVersion(), SPEC, "volumeSnapshotRef", "apiVersion")
            .set(Kind.SNAPSHOT.kind(), SPEC, "volumeSnapshotRef", "kind")
            .set(snapshot.key().namespace(), SPEC, "volumeSnapshotRef", "namespace")
            .set(snapshot.key().name(), SPEC, "volumeSnapshotRef", "name")
            .set(snapshot.meta().uid().toString(), SPEC, "volumeSnapshotRef", "uid")
            .set(wanted.handle(), SPEC, "source", "volumeHandle")
            .set(wanted.snapshotClass().meta().name(), SPEC, "volumeSnapshotClassName")
            .set(wanted.snapshotClass().driver(), SPEC, "driver")
            .set(wanted.snapshotClass().policy().toString(), SPEC, "deletionPolicy")
            .set(wanted.volume().volumeMode().toString(), SPEC, "sourceVolumeMode");
    if (!wanted.secret().isNone()) {
      object
          .set(wanted.secret().name(), METADATA, ANNOTATIONS, SnapshotContent.SECRET_NAME)
          .set(
              wanted.secret().namespace(), METADATA, ANNOTATIONS, SnapshotContent.SECRET_NAMESPACE);
    }
    return object;
  }

  private Outcome bind(VolumeSnapshot snapshot, SnapshotContent content, String className)
      throws InterruptedException {
    Document patch =
        Document.patchOf(content.meta())
            .set(snapshot.meta().uid().toString(), SPEC, "volumeSnapshotRef", "uid");
    if (!className.isEmpty()) {
      patch.set(className, SPEC, "volumeSnapshotClassName");
    }
    return Outcome.after(
        "binding content " + content.key(),
        writer.patch(Kind.SNAPSHOT_CONTENT, content.key(), patch));
  }

  private Outcome show(VolumeSnapshot snapshot, SnapshotStep.Show show)
      throws InterruptedException {
    VolumeSnapshot.Status now = show.now();
    Document patch =
        Document.patchOf(snapshot.meta())
            .set(now.content(), STATUS, "boundVolumeSnapshotContentName")
            .set(now.ready(), STATUS, "readyToUse")
            .set(problem(now.problem()), STATUS, "error");
    if (now.created() != 0) {
      patch.set(Instant.ofEpochSecond(now.created()).toString(), STATUS, "creationTime");
    }
    if (!now.group().isEmpty()) {
      patch.set(now.group(), STATUS, "volumeGroupSnapshotName");
    }
    now.restoreSize().map(Quantity::toString).ifPresent(s -> patch.set(s, STATUS, "restoreSize"));
    WriteResult<VolumeSnapshot> written = writer.patchStatus(Kind.SNAPSHOT, snapshot.key(), patch);
    if (written.written().isPresent() && show.created()) {
      tell(
          snapshot,
          ClusterEvent.Type.NORMAL,
          "SnapshotCreated",
          "Snapshot " + snapshot.key() + " was successfully created by the CSI driver.");
    }
    if (written.written().isPresent() && show.ready()) {
      tell(
          snapshot,
          ClusterEvent.Type.NORMAL,
          "SnapshotReady",
          "Snapshot " + snapshot.key() + " is ready to use.");
    }
    return Outcome.after("status of snapshot " + snapshot.key(), written);
  }

  private Outcome delete(VolumeSnapshot snapshot, SnapshotContent content)
      throws InterruptedException {
    WriteResult<SnapshotContent> deleted =
        writer.delete(Kind.SNAPSHOT_CONTENT, content.key(), content.meta().uid());
    if (deleted instanceof WriteResult.Rejected<?>
        || deleted instanceof WriteResult.Unreachable<?>) {
      tell(
          snapshot,
          ClusterEvent.Type.WARNING,
          "SnapshotContentObjectDeleteError",
          "Failed to delete snapshot content API object");
    }
    return Outcome.after("deleting content " + content.key(), deleted);
  }

  private void tell(VolumeSnapshot snapshot, ClusterEvent.Type type, String reason, String note) {
    events.tell(
        new ClusterEvent(Kind.SNAPSHOT, snapshot.meta(), type, reason, reason, note, REPORTER));
  }
}
