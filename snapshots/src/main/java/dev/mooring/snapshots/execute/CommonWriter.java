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
      SnapshotTerms terms,
      String logName,
      Kind<O> object,
      Kind<C> content,
      String protectionFinalizer,
      String deletionAnnotation) {}

  Outcome apply(O object, boolean isReady, Problem problem, CommonStep step)
      throws InterruptedException {
    return switch (step) {
      case CommonStep.NoAction() -> Outcome.SETTLED;
      case CommonStep.ReportError report ->
          problem.message().equals(report.message()) && !(report.notReady() && isReady)
              ? Outcome.SETTLED
              : report(object, report);
      case CommonStep.SetClass(String className) ->
          patch(
              "giving " + describe(object) + " its class",
              object,
              Document.patchOf(object.meta())
                  .set(className, SPEC, "volume" + form.terms().objectTerm() + "ClassName"));
      case CommonStep.SetFinalizers(List<String> finalizers) ->
          patch(
              "finalizers of " + describe(object),
              object,
              Document.patchOf(object.meta()).set(finalizers, METADATA, FINALIZERS));
      case CommonStep.HoldClaim(Claim claim) -> hold(object, problem, claim);
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

  private String describe(O object) {
    return form.logName() + " " + object.key();
  }

  private Outcome patch(String action, O object, Document patch) throws InterruptedException {
    return Outcome.ofWrite(action, writer.patch(form.object(), object.key(), patch));
  }

  private Outcome patchContent(String action, Resource content, Document patch)
      throws InterruptedException {
    return Outcome.ofWrite(
        action + " content " + content.key(), writer.patch(form.content(), content.key(), patch));
  }

  private WriteResult<Claim> writeFinalizers(Claim claim, List<String> finalizers)
      throws InterruptedException {
    return writer.patch(
        Kind.CLAIM,
        claim.key(),
        Document.patchOf(claim.meta()).set(finalizers, METADATA, FINALIZERS));
  }

  private static Outcome ofFinalizers(Claim claim, WriteResult<Claim> result) {
    return Outcome.ofWrite("finalizers of claim " + claim.key(), result);
  }

  private Outcome hold(O object, Problem problem, Claim claim) throws InterruptedException {
    WriteResult<Claim> result =
        writeFinalizers(claim, claim.meta().finalizersWith(VolumeSnapshot.CLAIM_PROTECTION));
    reportIfRefused(
        object, problem, "Failed to protect the source claim " + claim.key().name(), result);
    return ofFinalizers(claim, result);
  }

  Outcome release(Claim claim) throws InterruptedException {
    return ofFinalizers(
        claim,
        writeFinalizers(claim, claim.meta().finalizersWithout(VolumeSnapshot.CLAIM_PROTECTION)));
  }

  // Without the write the driver creates nothing, and only the log has the cause.
  private void reportIfRefused(O object, Problem problem, String failure, WriteResult<?> result)
      throws InterruptedException {
    if (result instanceof WriteResult.Rejected<?>(int code, String message)) {
      String note = failure + " with error the server refused it (" + code + "): " + message;
      if (!problem.message().equals(note)) {
        report(
            object,
            new CommonStep.ReportError(
                form.terms().objectTerm() + "ContentCreationFailed", note, true));
      }
    }
  }

  Outcome reconcileContent(C content, String flaw, boolean needsFinalizer)
      throws InterruptedException {
    if (!flaw.isEmpty()) {
      String reason = form.terms().contentTerm() + "ValidationError";
      emit(form.content(), content.meta(), Type.WARNING, reason, flaw);
      return Outcome.SETTLED;
    }
    if (!needsFinalizer) {
      return Outcome.SETTLED;
    }
    List<String> finalizers = content.meta().finalizersWith(form.protectionFinalizer());
    return patchContent(
        "adding the finalizer to",
        content,
        Document.patchOf(content.meta()).set(finalizers, METADATA, FINALIZERS));
  }

  private Outcome mark(Resource content, String action, @Nullable String value)
      throws InterruptedException {
    return patchContent(
        action,
        content,
        Document.patchOf(content.meta())
            .set(value, METADATA, ANNOTATIONS, form.deletionAnnotation()));
  }

  Outcome create(O object, Problem problem, String name, Document content)
      throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(name);
    WriteResult<C> result = writer.create(form.content(), key, content);
    if (result.toOptional().isPresent()) {
      emit(
          object,
          Type.NORMAL,
          "Creating" + form.terms().objectTerm(),
          "Waiting for a %s %s to be created by the CSI driver."
              .formatted(form.terms().noun(), object.key()));
    }
    reportIfRefused(
        object, problem, "Failed to create " + form.terms().noun() + " content", result);
    return Outcome.ofWrite("creating content " + key, result);
  }

  private Outcome bind(O object, Resource content, String className) throws InterruptedException {
    String kind = "volume" + form.terms().objectTerm();
    Document patch =
        Document.patchOf(content.meta())
            .set(object.meta().uid().toString(), SPEC, kind + "Ref", "uid");
    if (!className.isEmpty()) {
      patch.set(className, SPEC, kind + "ClassName");
    }
    if (content.meta().hasAnnotation(form.deletionAnnotation())) {
      // an earlier object left it, and it allows the driver to delete the data
      patch.set(null, METADATA, ANNOTATIONS, form.deletionAnnotation());
    }
    return patchContent("binding", content, patch);
  }

  private Outcome report(O object, CommonStep.ReportError report) throws InterruptedException {
    Document patch = Document.patchOf(object.meta());
    patch.set(toError(new Problem(time.now().getEpochSecond(), report.message())), STATUS, "error");
    if (report.notReady()) {
      patch.set(false, STATUS, "readyToUse");
    }
    WriteResult<O> result = writer.patchStatus(form.object(), object.key(), patch);
    if (result.toOptional().isPresent()) {
      emit(object, Type.WARNING, report.reason(), report.message());
    }
    return Outcome.ofWrite("status of " + describe(object), result);
  }

  private static @Nullable Map<String, Object> toError(Problem problem) {
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

  Document buildStatus(O object, String content, boolean isReady, long created, Problem problem) {
    Document patch =
        Document.patchOf(object.meta())
            .set(content, STATUS, "boundVolume" + form.terms().objectTerm() + "ContentName")
            .set(isReady, STATUS, "readyToUse")
            .set(toError(problem), STATUS, "error");
    if (created != 0) {
      patch.set(Instant.ofEpochSecond(created).toString(), STATUS, "creationTime");
    }
    return patch;
  }

  Outcome writeStatus(O object, Document status, boolean becomesCreated, boolean becomesReady)
      throws InterruptedException {
    WriteResult<O> result = writer.patchStatus(form.object(), object.key(), status);
    String kind = form.terms().objectTerm();
    if (result.toOptional().isPresent() && becomesCreated) {
      emit(
          object,
          Type.NORMAL,
          kind + "Created",
          kind + " " + object.key() + " was successfully created by the CSI driver.");
    }
    if (result.toOptional().isPresent() && becomesReady) {
      emit(object, Type.NORMAL, kind + "Ready", kind + " " + object.key() + " is ready to use.");
    }
    return Outcome.ofWrite("status of " + describe(object), result);
  }

  private Outcome delete(O object, Resource content) throws InterruptedException {
    WriteResult<C> result = writer.delete(form.content(), content.key(), content.meta().uid());
    if (isRefused(result)) {
      emit(
          object,
          Type.WARNING,
          form.terms().objectTerm() + "ContentObjectDeleteError",
          "Failed to delete " + form.terms().noun() + " content API object");
    }
    return Outcome.ofWrite("deleting content " + content.key(), result);
  }

  static boolean isRefused(WriteResult<?> result) {
    return result instanceof WriteResult.Rejected<?>
        || result instanceof WriteResult.Unreachable<?>;
  }

  void emit(O object, Type type, String reason, String message) {
    emit(form.object(), object.meta(), type, reason, message);
  }

  private void emit(Kind<?> kind, Meta object, Type type, String reason, String message) {
    events.emit(new ClusterEvent(kind, object, type, reason, reason, message, REPORTER));
  }
}
