package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ContentPlan;
import dev.mooring.csi.decide.ContentVerdict;
import dev.mooring.csi.decide.SnapshotContentRules;
import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Creates, polls and deletes a driver's snapshots or group snapshots. Thread-safe; calls for one
 * content must not overlap.
 *
 * @param <C> type of the contents
 * @param <H> handle at the driver
 * @param <A> the driver's answer
 */
public final class SnapshotReconciler<C extends Resource, H, A> {
  public record SnapshotSettings(
      DriverNames names,
      boolean extraMetadata,
      Duration firstRetry,
      Duration lastRetry,
      DeletionBreaker breaker) {}

  private final DriverSession session;
  private final SnapshotSettings settings;
  private final ContentKind<C, H, A> kind;
  private final ClusterPorts ports;
  private final DriverFinalizers finalizers;
  private final ContentRequests<C> requests;
  private final ContentStatusWriter<C, A> statusWriter;
  private final DeletionAdmission<C> admission;
  // contents whose annotation still says that a creation may run, though it has ended
  private final Set<Uid> ended = ConcurrentHashMap.newKeySet();
  // contents to be deleted whose unreadable Secret was reported
  private final Set<Uid> secretUnread = ConcurrentHashMap.newKeySet();

  private SnapshotReconciler(
      DriverSession session,
      SnapshotSettings settings,
      ContentKind<C, H, A> kind,
      ClusterPorts ports) {
    this.session = session;
    this.settings = settings;
    this.kind = kind;
    this.ports = ports;
    this.finalizers = new DriverFinalizers(ports.writer());
    this.requests = new ContentRequests<>(session.driver(), settings, kind, ports.reader());
    this.statusWriter = new ContentStatusWriter<>(kind, ports, session.driver());
    this.admission =
        new DeletionAdmission<>(
            settings.breaker(), settings.firstRetry(), statusWriter::deletionFailed);
  }

  public static SnapshotReconciler<SnapshotContent, ?, ?> ofSnapshots(
      DriverSession session,
      SnapshotSettings settings,
      Informer<SnapshotClass> classes,
      ContentTwins twins,
      ClusterPorts ports) {
    return new SnapshotReconciler<>(
        session, settings, new SingleSnapshots(session, classes, twins), ports);
  }

  public static SnapshotReconciler<GroupSnapshotContent, ?, ?> ofGroups(
      DriverSession session,
      SnapshotSettings settings,
      Informer<GroupSnapshotClass> classes,
      ContentTwins twins,
      ClusterPorts ports) {
    return new SnapshotReconciler<>(
        session, settings, new GroupSnapshots(session, classes, twins), ports);
  }

  public void forget(C content) {
    ended.remove(content.meta().uid());
    secretUnread.remove(content.meta().uid());
    admission.forget(content);
  }

  public boolean isOurs(C content) {
    return kind.facts(content).driver().equals(session.driver());
  }

  /**
   * Reports whether only our own writes differ. These must not end the back-off that they started.
   */
  public boolean differsOnlyByOwnWrites(C before, C now) {
    return kind.withoutOwnWrites(before).equals(kind.withoutOwnWrites(now));
  }

  public List<ObjectKey> waitingFor(C content) {
    return kind.waitingFor(content);
  }

  public boolean waitsFor(String className, C content) {
    ContentKind.ContentFacts facts = kind.facts(content);
    return facts.className().equals(className) && !facts.ready();
  }

  public Outcome sync(C content) throws InterruptedException {
    Optional<DriverIdentity> identity = session.identity();
    ContentPlan<H> plan = kind.plan(content);
    if (identity.isEmpty() || plan instanceof ContentPlan.NoAction<H>) {
      return Outcome.SETTLED; // a driver that becomes ready requeues all contents
    }
    return switch (plan) {
      case ContentPlan.NoAction<H>() -> Outcome.SETTLED;
      case ContentPlan.Create<H>() -> create(content, identity.get());
      case ContentPlan.Query<H>(H handle) -> query(content, handle, identity.get());
      case ContentPlan.Delete<H>(H handle) -> delete(content, handle);
      case ContentPlan.RemoveFinalizer<H>() ->
          finalizers.release(kind.names().kind(), content, kind.keys().protection());
      case ContentPlan.ClearCreationMark<H>() ->
          resume("recording the end of the creation", statusWriter.markCreation(content, false));
    };
  }

  private Outcome resume(String what, WriteResult<C> written) throws InterruptedException {
    return written instanceof WriteResult.Written<C>(C now)
        ? sync(now)
        : Outcome.after(what, written);
  }

  private Outcome create(C content, DriverIdentity identity) throws InterruptedException {
    if (!identity.can(kind.calls().makes())) {
      return creationFailed(content, lacksAbility()).orElse(Outcome.SETTLED);
    }
    switch (requests.of(content)) {
      case CheckResult.Invalid<ContentKind.Request>(String why) -> {
        return creationFailed(content, why).orElseGet(() -> retry(why));
      }
      case CheckResult.Unknown<ContentKind.Request>(String why) -> {
        return creationFailed(content, why).orElseGet(() -> unanswered(content, why));
      }
      case CheckResult.Valid<ContentKind.Request>(ContentKind.Request request) -> {
        boolean known = !kind.facts(content).handle().isEmpty();
        boolean noted = content.meta().hasAnnotation(kind.keys().beingCreated());
        if (known || noted && !ended.contains(content.meta().uid())) {
          return ask(content, request, !known);
        }
        // record the call first, so that no snapshot is forgotten; a record of an ended creation
        // may have
        // been removed by a write without an answer, so it does not count
        WriteResult<C> note = statusWriter.markCreation(content, true);
        if (!(note instanceof WriteResult.Written<C>(C now))) {
          return Outcome.after("recording the start of the creation", note);
        }
        ended.remove(content.meta().uid());
        return ask(now, request, false);
      }
    }
  }

  private String lacksAbility() {
    return "CSI driver " + session.driver() + " cannot create " + kind.names().plural();
  }

  private Outcome ask(C content, ContentKind.Request request, boolean before)
      throws InterruptedException {
    return switch (kind.create(content, request)) {
      case DriverReply.Ok<A>(A answer) -> created(content, answer);
      case DriverReply.Refused<A> refused -> refused(content, refused, before);
    };
  }

  private Outcome created(C content, A answer) throws InterruptedException {
    ContentKind.ParsedAnswer parsed = kind.read(answer);
    if (!parsed.flaw().isEmpty()) {
      String why = "CSI driver " + session.driver() + " " + parsed.flaw();
      return creationFailed(content, why).orElseGet(() -> retry(why));
    }
    WriteResult<C> written = statusWriter.writeCreated(content, answer);
    if (!(written instanceof WriteResult.Written<C>(C now))) {
      return Outcome.after(writingStatus(parsed), written);
    }
    if (now.meta().hasAnnotation(kind.keys().beingCreated())) {
      written = statusWriter.markCreation(now, false);
      if (written.written().isEmpty()) {
        return Outcome.after("recording the end of the creation", written);
      }
      now = written.written().get();
    }
    return parsed.ready() || now.meta().isBeingDeleted() ? finishOrPoll(now) : poll(now);
  }

  private String writingStatus(ContentKind.ParsedAnswer parsed) {
    return "writing the status of " + kind.names().owner() + " " + parsed.id();
  }

  // The content may have been deleted meanwhile.
  private Outcome finishOrPoll(C content) throws InterruptedException {
    return kind.plan(content) instanceof ContentPlan.Create<H> ? poll(content) : sync(content);
  }

  private Outcome poll(C content) {
    Instant since = Instant.ofEpochSecond(content.meta().created());
    Duration age = Duration.between(since, ports.time().now());
    return new Outcome.CheckAgain(SnapshotContentRules.pollAfter(age, settings.firstRetry()));
  }

  private Outcome refused(C content, DriverReply.Refused<A> refused, boolean before)
      throws InterruptedException {
    StatusCodeMeanings.Meaning meaning = StatusCodeMeanings.of(kind.calls().call(), refused.code());
    String why =
        "failed to take %s of the %s: \"%s\""
            .formatted(kind.names().noun(), kind.source(content), refused.text());
    C now = content;
    boolean unknown = kind.facts(content).handle().isEmpty();
    if (unknown && SnapshotContentRules.hasEnded(meaning, before)) {
      ended.add(content.meta().uid());
      WriteResult<C> written = statusWriter.markCreation(content, false);
      if (written.written().isEmpty()) {
        return Outcome.after("recording that nothing was created", written);
      }
      ended.remove(content.meta().uid());
      now = written.written().get();
      if (now.meta().isBeingDeleted()) {
        return sync(now);
      }
    }
    Outcome later =
        meaning.next() == StatusCodeMeanings.Next.SLOWLY
            ? new Outcome.CheckAgain(settings.lastRetry())
            : retry(why);
    return creationFailed(now, why).orElse(later);
  }

  private Outcome unanswered(C content, String why) {
    return new Outcome.Unanswered("content " + content.key() + ": " + why);
  }

  private static Outcome retry(String why) {
    return new Outcome.Retry(new Failure.Unreachable(why));
  }

  // Empty if the error was written.
  private Optional<Outcome> creationFailed(C content, String why) throws InterruptedException {
    return writeError(
        content,
        kind.names().event() + "SnapshotCreationFailed",
        "Failed to create " + kind.names().noun() + ": " + why);
  }

  private Optional<Outcome> writeError(C content, String reason, String message)
      throws InterruptedException {
    WriteResult<C> written = statusWriter.failed(content, reason, message);
    return written.written().isPresent()
        ? Optional.empty()
        : Optional.of(Outcome.after("status of content " + content.key(), written));
  }

  private Outcome query(C content, H handle, DriverIdentity identity) throws InterruptedException {
    if (!identity.can(kind.calls().finds())) {
      Optional<A> assumed = kind.assumed(handle);
      return assumed.isPresent()
          ? created(content, assumed.get())
          : queryFailed(content, lacksAbility()).orElse(Outcome.SETTLED);
    }
    return switch (requests
        .secretsToFind(content)
        .then(credentials -> kind.find(handle, credentials))) {
      case CheckResult.Invalid<A>(String why) ->
          queryFailed(content, why).orElseGet(() -> retry(why));
      case CheckResult.Unknown<A>(String why) ->
          queryFailed(content, why).orElseGet(() -> unanswered(content, why));
      case CheckResult.Valid<A>(A found) -> queried(content, found);
    };
  }

  private Outcome queried(C content, A answer) throws InterruptedException {
    ContentKind.ParsedAnswer parsed = kind.read(answer);
    WriteResult<C> written = statusWriter.writeCreated(content, answer);
    return parsed.ready() || written.written().isEmpty()
        ? Outcome.after(writingStatus(parsed), written)
        : poll(written.written().get());
  }

  private Optional<Outcome> queryFailed(C content, String why) throws InterruptedException {
    return writeError(
        content,
        kind.names().event() + "SnapshotContentCheckandUpdateFailed",
        "Failed to check and update " + kind.names().noun() + " content: " + why);
  }

  // Reads the Secret, which may take long, then judges, then records the deletion against the
  // judged resourceVersion, then calls the driver. No read may come between the last two.
  private Outcome delete(C cached, H handle) throws InterruptedException {
    Optional<Outcome> held = admission.held(cached);
    if (held.isPresent()) {
      return held.get();
    }
    switch (requests.secrets(cached)) {
      case CheckResult.Invalid<DriverSecrets>(String why) -> {
        statusWriter.deletionFailed(cached, "Failed to get snapshot credentials");
        return retry(why);
      }
      case CheckResult.Unknown<DriverSecrets>(String why) -> {
        if (secretUnread.add(cached.meta().uid())) {
          statusWriter.deletionFailed(cached, "Failed to get snapshot credentials");
        }
        return unanswered(cached, why);
      }
      case CheckResult.Valid<DriverSecrets>(DriverSecrets credentials) -> {
        secretUnread.remove(cached.meta().uid());
        return delete(cached, handle, credentials);
      }
    }
  }

  private Outcome delete(C cached, H handle, DriverSecrets credentials)
      throws InterruptedException {
    ContentVerdict<C> verdict =
        LiveDecisions.decideAsked(
            ports.reader(), LiveFacts.NONE, live -> kind.mayBeDeleted(cached, handle, live));
    return switch (verdict) {
      case ContentVerdict.Confirmed<C>(C content) ->
          requests.haveSameSecret(cached, content)
              ? admission.admit(content, () -> commit(content, handle, credentials))
              : new Outcome.Conflicted("content " + cached.key() + " names another Secret");
      case ContentVerdict.InUse<C>(String user) -> {
        String why = user + " uses the same " + kind.names().noun() + " " + kind.id(handle);
        statusWriter.deletionFailed(cached, why + "; it is deleted when that object is deleted");
        yield retry("content " + cached.key() + " keeps its data: " + why);
      }
      case ContentVerdict.Gone<C>() -> Outcome.SETTLED;
      case ContentVerdict.Changed<C>() ->
          new Outcome.Conflicted("content " + cached.key() + " has changed");
      case ContentVerdict.CannotTell<C>(String why) -> unanswered(cached, why);
      case ContentVerdict.Ask<C> ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  // Point of no return.
  private Outcome commit(C judged, H handle, DriverSecrets credentials)
      throws InterruptedException {
    WriteResult<C> recorded = statusWriter.deletionStarts(judged);
    if (!(recorded instanceof WriteResult.Written<C>(C content))) {
      return Outcome.after("recording the deletion of content " + judged.key(), recorded);
    }
    return switch (kind.delete(handle, credentials)) {
      case DriverReply.Ok<Done> _ -> {
        admission.deleted(content);
        yield resume("recording the deletion", statusWriter.writeDeleted(content));
      }
      case DriverReply.Refused<Done> refused -> {
        String noun = kind.names().noun();
        statusWriter.deletionFailed(content, "Failed to delete " + noun);
        yield retry("failed to delete " + noun + " " + kind.id(handle) + ": " + refused.text());
      }
    };
  }
}
