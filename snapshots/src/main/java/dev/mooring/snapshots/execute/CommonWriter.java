package dev.mooring.snapshots.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterEvent.Type;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.reconcile.Outcome;
import dev.mooring.snapshots.decide.CommonStep;
import dev.mooring.snapshots.decide.SnapshotTerms;
import dev.mooring.time.Time;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the steps that snapshots and group snapshots share. Thread-safe.
 *
 * @param <O> type of the object: snapshot or group snapshot
 * @param <C> type of its content
 */
record CommonWriter<O extends Resource, C extends Resource>(
    ContentForm<O, C> form, ClusterWriter writer, EventSink events, Time time) {
  static final String METADATA = "metadata";
  static final String STATUS = "status";
  static final String SPEC = "spec";
  static final String FINALIZERS = "finalizers";
  static final String ANNOTATIONS = "annotations";
  private static final String REPORTER = "snapshot-controller";

  record ContentForm<O extends Resource, C extends Resource>(
      SnapshotTerms words,
      String logged,
      Kind<O> object,
      Kind<C> content,
      String protection,
      String beingDeleted) {}

  Outcome apply(O object, boolean ready, Problem problem, CommonStep step)
      throws InterruptedException {
    return switch (step) {
      case CommonStep.NoAction() -> Outcome.SETTLED;
      case CommonStep.ReportError report ->
          problem.message().equals(report.message()) && !(report.notReady() && ready)
              ? Outcome.SETTLED
              : report(object, report);
      case CommonStep.SetClass(String name) ->
          patch(
              "giving " + name(object) + " its class",
              object,
              Document.patchOf(object.meta())
                  .set(name, SPEC, "volume" + form.words().object() + "ClassName"));
      case CommonStep.SetFinalizers(List<String> finalizers) ->
          patch(
              "finalizers of " + name(object),
              object,
              Document.patchOf(object.meta()).set(finalizers, METADATA, FINALIZERS));
      case CommonStep.HoldClaim(Claim claim) ->
          finalizers(claim, claim.meta().finalizersWith(VolumeSnapshot.CLAIM_PROTECTION));
      case CommonStep.Bind(Resource content, String className) -> bind(object, content, className);
      case CommonStep.MarkContent(Resource content) -> mark(content, "marking", "yes");
      case CommonStep.UnmarkContent(Resource content) -> mark(content, "unmarking", null);
      case CommonStep.DeleteContent(Resource content) -> delete(object, content);
      case CommonStep.Wait(String reason, String message) -> {
        emit(object, Type.WARNING, reason, message);
        yield Outcome.SETTLED;
      }
    };
  }

  private String name(O object) {
    return form.logged() + " " + object.key();
  }

  private Outcome patch(String what, O object, Document patch) throws InterruptedException {
    return Outcome.after(what, writer.patch(form.object(), object.key(), patch));
  }

  private Outcome patchContent(String what, Resource content, Document patch)
      throws InterruptedException {
    return Outcome.after(
        what + " content " + content.key(), writer.patch(form.content(), content.key(), patch));
  }

  Outcome finalizers(Claim claim, List<String> finalizers) throws InterruptedException {
    return Outcome.after(
        "finalizers of claim " + claim.key(),
        writer.patch(
            Kind.CLAIM,
            claim.key(),
            Document.patchOf(claim.meta()).set(finalizers, METADATA, FINALIZERS)));
  }

  Outcome content(C content, String flaw, boolean needsFinalizer) throws InterruptedException {
    if (!flaw.isEmpty()) {
      String reason = form.words().content() + "ValidationError";
      emit(form.content(), content.meta(), Type.WARNING, reason, flaw);
      return Outcome.SETTLED;
    }
    if (!needsFinalizer) {
      return Outcome.SETTLED;
    }
    List<String> finalizers = content.meta().finalizersWith(form.protection());
    return patchContent(
        "adding the finalizer to",
        content,
        Document.patchOf(content.meta()).set(finalizers, METADATA, FINALIZERS));
  }

  private Outcome mark(Resource content, String what, @Nullable String value)
      throws InterruptedException {
    return patchContent(
        what,
        content,
        Document.patchOf(content.meta()).set(value, METADATA, ANNOTATIONS, form.beingDeleted()));
  }

  Outcome create(O object, String name, Document content) throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(name);
    WriteResult<C> written = writer.create(form.content(), key, content);
    if (written.written().isPresent()) {
      emit(
          object,
          Type.NORMAL,
          "Creating" + form.words().object(),
          "Waiting for a %s %s to be created by the CSI driver."
              .formatted(form.words().noun(), object.key()));
    }
    return Outcome.after("creating content " + key, written);
  }

  private Outcome bind(O object, Resource content, String className) throws InterruptedException {
    String kind = "volume" + form.words().object();
    Document patch =
        Document.patchOf(content.meta())
            .set(object.meta().uid().toString(), SPEC, kind + "Ref", "uid");
    if (!className.isEmpty()) {
      patch.set(className, SPEC, kind + "ClassName");
    }
    if (content
        .meta()
        .hasAnnotation(
            form.beingDeleted())) { // left by an earlier object: it allows the driver to delete
      patch.set(null, METADATA, ANNOTATIONS, form.beingDeleted());
    }
    return patchContent("binding", content, patch);
  }

  private Outcome report(O object, CommonStep.ReportError report) throws InterruptedException {
    Document patch = Document.patchOf(object.meta());
    patch.set(problem(new Problem(time.now().getEpochSecond(), report.message())), STATUS, "error");
    if (report.notReady()) {
      patch.set(false, STATUS, "readyToUse");
    }
    WriteResult<O> written = writer.patchStatus(form.object(), object.key(), patch);
    if (written.written().isPresent()) {
      emit(object, Type.WARNING, report.reason(), report.message());
    }
    return Outcome.after("status of " + name(object), written);
  }

  private static @Nullable Map<String, Object> problem(Problem problem) {
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

  Document status(O object, String content, boolean ready, long created, Problem problem) {
    Document patch =
        Document.patchOf(object.meta())
            .set(content, STATUS, "boundVolume" + form.words().object() + "ContentName")
            .set(ready, STATUS, "readyToUse")
            .set(problem(problem), STATUS, "error");
    if (created != 0) {
      patch.set(Instant.ofEpochSecond(created).toString(), STATUS, "creationTime");
    }
    return patch;
  }

  Outcome writeStatus(O object, Document status, boolean created, boolean ready)
      throws InterruptedException {
    WriteResult<O> written = writer.patchStatus(form.object(), object.key(), status);
    String kind = form.words().object();
    if (written.written().isPresent() && created) {
      emit(
          object,
          Type.NORMAL,
          kind + "Created",
          kind + " " + object.key() + " was successfully created by the CSI driver.");
    }
    if (written.written().isPresent() && ready) {
      emit(object, Type.NORMAL, kind + "Ready", kind + " " + object.key() + " is ready to use.");
    }
    return Outcome.after("status of " + name(object), written);
  }

  private Outcome delete(O object, Resource content) throws InterruptedException {
    WriteResult<C> deleted = writer.delete(form.content(), content.key(), content.meta().uid());
    if (isRefused(deleted)) {
      emit(
          object,
          Type.WARNING,
          form.words().object() + "ContentObjectDeleteError",
          "Failed to delete " + form.words().noun() + " content API object");
    }
    return Outcome.after("deleting content " + content.key(), deleted);
  }

  static boolean isRefused(WriteResult<?> deleted) {
    return deleted instanceof WriteResult.Rejected<?>
        || deleted instanceof WriteResult.Unreachable<?>;
  }

  void emit(O object, Type type, String reason, String note) {
    emit(form.object(), object.meta(), type, reason, note);
  }

  private void emit(Kind<?> kind, Meta about, Type type, String reason, String note) {
    events.emit(new ClusterEvent(kind, about, type, reason, reason, note, REPORTER));
  }
}
