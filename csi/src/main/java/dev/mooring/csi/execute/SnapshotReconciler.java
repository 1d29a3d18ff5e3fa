package dev.mooring.csi.execute;

import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ContentPlan;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.decide.DataHandle;
import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.csi.execute.DriverSnapshots.CreationRequest;
import dev.mooring.csi.execute.DriverSnapshots.SnapshotAnswer;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates, polls and deletes a driver's snapshots or group snapshots. Thread-safe; calls for one
 * content must not overlap.
 */
public record SnapshotReconciler(
    ContentRequests requests, ContentDeletion deletion, RetryPolicy retryPolicy) {
  private static final Duration RECHECK_DELAY = Duration.ofSeconds(1);

  /**
   * Reconciles a content.
   *
   * @param content empty if the cache does not have it
   * @param areCachesSynced false if a class or a twin may be missing
   */
  public Outcome sync(Optional<? extends Resource> content, boolean areCachesSynced)
      throws InterruptedException {
    if (content.isEmpty()) {
      return Outcome.SETTLED;
    }
    return areCachesSynced
        ? sync(ContentView.of(content.get()))
        : new Outcome.CheckAgain(RECHECK_DELAY);
  }

  private DriverSnapshots snapshots() {
    return requests.snapshots();
  }

  private ContentStatusWriter statusWriter() {
    return deletion.admission().statusWriter();
  }

  Outcome sync(ContentView content) throws InterruptedException {
    Optional<DriverIdentity> identity = snapshots().session().identity();
    if (identity.isEmpty()) {
      return Outcome.SETTLED; // a driver that becomes ready requeues all contents
    }
    return switch (plan(content)) {
      case ContentPlan.NoAction() -> Outcome.SETTLED;
      case ContentPlan.Create() -> create(content, identity.get());
      case ContentPlan.Query(DataHandle handle) -> query(content, handle, identity.get());
      case ContentPlan.Delete(DataHandle handle) ->
          deletion.delete(content, handle, result -> resume("recording the deletion", result));
      case ContentPlan.RemoveFinalizer() ->
          Outcome.ofWrite(
              "removing the finalizer of " + content.kind().content() + " " + content.key(),
              statusWriter().removeFinalizer(content));
      case ContentPlan.ClearCreationMark() ->
          resume("recording the end of the creation", statusWriter().clearCreation(content));
    };
  }

  private ContentPlan plan(ContentView content) {
    return ContentRules.plan(content, snapshots().session().driver());
  }

  private Outcome resume(String action, WriteResult<? extends Resource> result)
      throws InterruptedException {
    Optional<ContentView> content = result.toOptional().map(ContentView::of);
    return content.isPresent() ? sync(content.get()) : Outcome.ofWrite(action, result);
  }

  private Outcome create(ContentView content, DriverIdentity identity) throws InterruptedException {
    if (!identity.can(content.kind().calls().createCapability())) {
      return writeCreationError(content, describeMissingCapability(content))
          .orElse(Outcome.SETTLED);
    }
    return switch (requests.buildCreation(content)) {
      case CheckResult.Invalid<CreationRequest>(String reason) ->
          writeCreationError(content, reason).orElseGet(() -> retry(reason));
      case CheckResult.Unknown<CreationRequest>(String reason) ->
          writeCreationError(content, reason).orElseGet(() -> unanswered(content, reason));
      case CheckResult.Valid<CreationRequest>(CreationRequest request) ->
          recordAndCreate(content, request);
    };
  }

  // Records the call first, so that no snapshot is forgotten.
  private Outcome recordAndCreate(ContentView content, CreationRequest request)
      throws InterruptedException {
    boolean isCreated = !content.created().isNone();
    if (isCreated || statusWriter().isCreationRecorded(content)) {
      return callCreate(content, request, !isCreated);
    }
    WriteResult<? extends Resource> result = statusWriter().recordCreation(content);
    Optional<ContentView> recordedContent = result.toOptional().map(ContentView::of);
    return recordedContent.isPresent()
        ? callCreate(recordedContent.get(), request, false)
        : Outcome.ofWrite("recording the start of the creation", result);
  }

  private String describeMissingCapability(ContentView content) {
    return describeDriver() + " cannot create " + content.kind().names().noun() + "s";
  }

  private String describeDriver() {
    return "CSI driver " + snapshots().session().driver();
  }

  private Outcome callCreate(
      ContentView content, CreationRequest request, boolean mayHaveEarlierCall)
      throws InterruptedException {
    return switch (snapshots().create(content, request)) {
      case DriverReply.Ok<SnapshotAnswer>(SnapshotAnswer answer) -> handleCreated(content, answer);
      case DriverReply.Refused<SnapshotAnswer> refusal ->
          handleRefusal(content, refusal, mayHaveEarlierCall);
    };
  }

  private Outcome handleCreated(ContentView content, SnapshotAnswer answer)
      throws InterruptedException {
    if (!answer.flaw().isEmpty()) {
      String reason = describeDriver() + " " + answer.flaw();
      return writeCreationError(content, reason).orElseGet(() -> retry(reason));
    }
    List<Map<String, String>> topologies = snapshots().topologies(answer);
    if (!topologies.isEmpty() && content.created().isNone()) {
      // before the status: a ready snapshot has its topology
      WriteResult<? extends Resource> written = statusWriter().writeTopology(content, topologies);
      Optional<ContentView> restricted = written.toOptional().map(ContentView::of);
      return restricted.isPresent()
          ? writeCreated(restricted.get(), answer)
          : Outcome.ofWrite("writing the topology of content " + content.key(), written);
    }
    return writeCreated(content, answer);
  }

  private Outcome writeCreated(ContentView content, SnapshotAnswer answer)
      throws InterruptedException {
    WriteResult<? extends Resource> result = statusWriter().writeCreated(content, answer);
    Optional<ContentView> current = result.toOptional().map(ContentView::of);
    if (current.isEmpty()) {
      return Outcome.ofWrite(describeStatusWrite(content, answer), result);
    }
    if (current.get().hasMark(content.kind().keys().beingCreated())) {
      result = statusWriter().clearCreation(current.get());
      current = result.toOptional().map(ContentView::of);
      if (current.isEmpty()) {
        return Outcome.ofWrite("recording the end of the creation", result);
      }
    }
    return answer.isReady() || current.get().meta().isBeingDeleted()
        ? finishOrPoll(current.get())
        : retryPolicy.poll(current.get());
  }

  private static String describeStatusWrite(ContentView content, SnapshotAnswer answer) {
    return "writing the status of " + content.kind().names().owner() + " " + answer.id();
  }

  // The content may have been deleted meanwhile.
  private Outcome finishOrPoll(ContentView content) throws InterruptedException {
    return plan(content) instanceof ContentPlan.Create ? retryPolicy.poll(content) : sync(content);
  }

  private Outcome handleRefusal(
      ContentView content, DriverReply.Refused<SnapshotAnswer> refusal, boolean mayHaveEarlierCall)
      throws InterruptedException {
    StatusCodeMeanings.Meaning meaning =
        StatusCodeMeanings.of(content.kind().calls().creation(), refusal.code());
    String reason =
        "failed to take %s of the %s: \"%s\""
            .formatted(content.kind().names().noun(), describeSource(content), refusal.text());
    ContentView current = content;
    if (content.created().isNone() && ContentRules.hasEnded(meaning, mayHaveEarlierCall)) {
      WriteResult<? extends Resource> result = statusWriter().recordCreationEnd(content);
      Optional<ContentView> recordedContent = result.toOptional().map(ContentView::of);
      if (recordedContent.isEmpty()) {
        return Outcome.ofWrite("recording that no snapshot was created", result);
      }
      current = recordedContent.get();
      if (current.meta().isBeingDeleted()) {
        return sync(current);
      }
    }
    Outcome retryOutcome =
        meaning.retry() == StatusCodeMeanings.Retry.SLOWLY
            ? retryPolicy.retrySlowly()
            : retry(reason);
    return writeCreationError(current, reason).orElse(retryOutcome);
  }

  private static String describeSource(ContentView content) {
    return switch (content.kind()) {
      case SNAPSHOT -> "volume " + content.volumes().getFirst();
      case GROUP -> "volumes " + content.volumes();
    };
  }

  private static Outcome unanswered(ContentView content, String reason) {
    return new Outcome.Unanswered("content " + content.key() + ": " + reason);
  }

  private static Outcome retry(String reason) {
    return new Outcome.Retry(new Failure.Unreachable(reason));
  }

  // Empty if the error was written.
  private Optional<Outcome> writeCreationError(ContentView content, String reason)
      throws InterruptedException {
    return writeError(
        content,
        "SnapshotCreationFailed",
        "Failed to create " + content.kind().names().noun() + ": " + reason);
  }

  private Optional<Outcome> writeError(ContentView content, String reason, String message)
      throws InterruptedException {
    WriteResult<? extends Resource> result =
        statusWriter().writeFailure(content, content.kind().names().infix() + reason, message);
    return result.toOptional().isPresent()
        ? Optional.empty()
        : Optional.of(Outcome.ofWrite("status of content " + content.key(), result));
  }

  private Outcome query(ContentView content, DataHandle handle, DriverIdentity identity)
      throws InterruptedException {
    if (!identity.can(content.kind().calls().queryCapability())) {
      Optional<SnapshotAnswer> assumedAnswer = snapshots().assumeAnswer(handle);
      return assumedAnswer.isPresent()
          ? handleCreated(content, assumedAnswer.get())
          : writeQueryError(content, describeMissingCapability(content)).orElse(Outcome.SETTLED);
    }
    return switch (requests
        .readQuerySecrets(content)
        .then(credentials -> snapshots().find(handle, credentials))) {
      case CheckResult.Invalid<SnapshotAnswer>(String reason) ->
          writeQueryError(content, reason).orElseGet(() -> retry(reason));
      case CheckResult.Unknown<SnapshotAnswer>(String reason) ->
          writeQueryError(content, reason).orElseGet(() -> unanswered(content, reason));
      case CheckResult.Valid<SnapshotAnswer>(SnapshotAnswer answer) ->
          handleQueried(content, answer);
    };
  }

  private Outcome handleQueried(ContentView content, SnapshotAnswer answer)
      throws InterruptedException {
    WriteResult<? extends Resource> result = statusWriter().writeCreated(content, answer);
    Optional<ContentView> current = result.toOptional().map(ContentView::of);
    return answer.isReady() || current.isEmpty()
        ? Outcome.ofWrite(describeStatusWrite(content, answer), result)
        : retryPolicy.poll(current.get());
  }

  private Optional<Outcome> writeQueryError(ContentView content, String reason)
      throws InterruptedException {
    return writeError(
        content,
        "SnapshotContentCheckandUpdateFailed",
        "Failed to check and update " + content.kind().names().noun() + " content: " + reason);
  }
}
