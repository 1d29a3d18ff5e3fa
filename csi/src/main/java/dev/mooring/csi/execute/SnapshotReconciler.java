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
import java.util.Optional;

/**
 * Creates, polls and deletes a driver's snapshots or group snapshots(). Thread-safe; calls for one
 * content must not overlap.
 */
public record SnapshotReconciler(
    ContentRequests requests, ContentDeletion deletion, RetryPolicy retries) {
  private static final Duration SOON = Duration.ofSeconds(1);

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
    return areCachesSynced ? sync(ContentView.of(content.get())) : new Outcome.CheckAgain(SOON);
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
          deletion.delete(content, handle, written -> resume("recording the deletion", written));
      case ContentPlan.RemoveFinalizer() ->
          Outcome.after(
              "removing the finalizer of " + content.kind().content() + " " + content.key(),
              statusWriter().removeFinalizer(content));
      case ContentPlan.ClearCreationMark() ->
          resume("recording the end of the creation", statusWriter().clearCreation(content));
    };
  }

  private ContentPlan plan(ContentView content) {
    return ContentRules.plan(content, snapshots().session().driver());
  }

  private Outcome resume(String what, WriteResult<? extends Resource> written)
      throws InterruptedException {
    Optional<ContentView> now = written.written().map(ContentView::of);
    return now.isPresent() ? sync(now.get()) : Outcome.after(what, written);
  }

  private Outcome create(ContentView content, DriverIdentity identity) throws InterruptedException {
    if (!identity.can(content.kind().calls().makes())) {
      return creationFailed(content, lacksAbility(content)).orElse(Outcome.SETTLED);
    }
    return switch (requests.creation(content)) {
      case CheckResult.Invalid<CreationRequest>(String why) ->
          creationFailed(content, why).orElseGet(() -> retry(why));
      case CheckResult.Unknown<CreationRequest>(String why) ->
          creationFailed(content, why).orElseGet(() -> unanswered(content, why));
      case CheckResult.Valid<CreationRequest>(CreationRequest request) ->
          recordAndAsk(content, request);
    };
  }

  // Records the call first, so that no snapshot is forgotten.
  private Outcome recordAndAsk(ContentView content, CreationRequest request)
      throws InterruptedException {
    boolean known = !content.created().isNone();
    if (known || statusWriter().isCreationRecorded(content)) {
      return ask(content, request, !known);
    }
    WriteResult<? extends Resource> recorded = statusWriter().recordCreation(content);
    Optional<ContentView> now = recorded.written().map(ContentView::of);
    return now.isPresent()
        ? ask(now.get(), request, false)
        : Outcome.after("recording the start of the creation", recorded);
  }

  private String lacksAbility(ContentView content) {
    return driver() + " cannot create " + content.kind().names().noun() + "s";
  }

  private String driver() {
    return "CSI driver " + snapshots().session().driver();
  }

  private Outcome ask(ContentView content, CreationRequest request, boolean before)
      throws InterruptedException {
    return switch (snapshots().create(content, request)) {
      case DriverReply.Ok<SnapshotAnswer>(SnapshotAnswer answer) -> created(content, answer);
      case DriverReply.Refused<SnapshotAnswer> refused -> refused(content, refused, before);
    };
  }

  private Outcome created(ContentView content, SnapshotAnswer answer) throws InterruptedException {
    if (!answer.flaw().isEmpty()) {
      String why = driver() + " " + answer.flaw();
      return creationFailed(content, why).orElseGet(() -> retry(why));
    }
    WriteResult<? extends Resource> written = statusWriter().writeCreated(content, answer);
    Optional<ContentView> now = written.written().map(ContentView::of);
    if (now.isEmpty()) {
      return Outcome.after(writingStatus(content, answer), written);
    }
    if (now.get().hasMark(content.kind().keys().beingCreated())) {
      written = statusWriter().clearCreation(now.get());
      now = written.written().map(ContentView::of);
      if (now.isEmpty()) {
        return Outcome.after("recording the end of the creation", written);
      }
    }
    return answer.ready() || now.get().meta().isBeingDeleted()
        ? finishOrPoll(now.get())
        : retries.poll(now.get());
  }

  private static String writingStatus(ContentView content, SnapshotAnswer answer) {
    return "writing the status of " + content.kind().names().owner() + " " + answer.id();
  }

  // The content may have been deleted meanwhile.
  private Outcome finishOrPoll(ContentView content) throws InterruptedException {
    return plan(content) instanceof ContentPlan.Create ? retries.poll(content) : sync(content);
  }

  private Outcome refused(
      ContentView content, DriverReply.Refused<SnapshotAnswer> refused, boolean before)
      throws InterruptedException {
    StatusCodeMeanings.Meaning meaning =
        StatusCodeMeanings.of(content.kind().calls().creation(), refused.code());
    String why =
        "failed to take %s of the %s: \"%s\""
            .formatted(content.kind().names().noun(), source(content), refused.text());
    ContentView now = content;
    if (content.created().isNone() && ContentRules.hasEnded(meaning, before)) {
      WriteResult<? extends Resource> recorded = statusWriter().recordEnd(content);
      Optional<ContentView> written = recorded.written().map(ContentView::of);
      if (written.isEmpty()) {
        return Outcome.after("recording that nothing was created", recorded);
      }
      now = written.get();
      if (now.meta().isBeingDeleted()) {
        return sync(now);
      }
    }
    Outcome later =
        meaning.next() == StatusCodeMeanings.Next.SLOWLY ? retries.slowly() : retry(why);
    return creationFailed(now, why).orElse(later);
  }

  private static String source(ContentView content) {
    return switch (content.kind()) {
      case SNAPSHOT -> "volume " + content.volumes().getFirst();
      case GROUP -> "volumes " + content.volumes();
    };
  }

  private static Outcome unanswered(ContentView content, String why) {
    return new Outcome.Unanswered("content " + content.key() + ": " + why);
  }

  private static Outcome retry(String why) {
    return new Outcome.Retry(new Failure.Unreachable(why));
  }

  // Empty if the error was written.
  private Optional<Outcome> creationFailed(ContentView content, String why)
      throws InterruptedException {
    return writeError(
        content,
        "SnapshotCreationFailed",
        "Failed to create " + content.kind().names().noun() + ": " + why);
  }

  private Optional<Outcome> writeError(ContentView content, String reason, String message)
      throws InterruptedException {
    WriteResult<? extends Resource> written =
        statusWriter().failed(content, content.kind().names().infix() + reason, message);
    return written.written().isPresent()
        ? Optional.empty()
        : Optional.of(Outcome.after("status of content " + content.key(), written));
  }

  private Outcome query(ContentView content, DataHandle handle, DriverIdentity identity)
      throws InterruptedException {
    if (!identity.can(content.kind().calls().finds())) {
      Optional<SnapshotAnswer> assumed = snapshots().assumed(handle);
      return assumed.isPresent()
          ? created(content, assumed.get())
          : queryFailed(content, lacksAbility(content)).orElse(Outcome.SETTLED);
    }
    return switch (requests
        .secretsToFind(content)
        .then(credentials -> snapshots().find(handle, credentials))) {
      case CheckResult.Invalid<SnapshotAnswer>(String why) ->
          queryFailed(content, why).orElseGet(() -> retry(why));
      case CheckResult.Unknown<SnapshotAnswer>(String why) ->
          queryFailed(content, why).orElseGet(() -> unanswered(content, why));
      case CheckResult.Valid<SnapshotAnswer>(SnapshotAnswer found) -> queried(content, found);
    };
  }

  private Outcome queried(ContentView content, SnapshotAnswer answer) throws InterruptedException {
    WriteResult<? extends Resource> written = statusWriter().writeCreated(content, answer);
    Optional<ContentView> now = written.written().map(ContentView::of);
    return answer.ready() || now.isEmpty()
        ? Outcome.after(writingStatus(content, answer), written)
        : retries.poll(now.get());
  }

  private Optional<Outcome> queryFailed(ContentView content, String why)
      throws InterruptedException {
    return writeError(
        content,
        "SnapshotContentCheckandUpdateFailed",
        "Failed to check and update " + content.kind().names().noun() + " content: " + why);
  }
}
