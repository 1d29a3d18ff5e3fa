package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.ContentPlan;
import dev.mooring.csi.decide.ContentVerdict;
import dev.mooring.csi.decide.SnapshotRules;
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
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes, watches and destroys a driver's snapshots, or its groups of them. Thread-safe; for one
 * content never called twice at once.
 *
 * @param <C> their contents
 * @param <H> how the driver is told which one
 * @param <A> what the driver says of one
 */
public final class Snapshotting<C extends Resource, H, A> {
  /**
   * How it goes about it.
   *
   * @param names how snapshots are called
   * @param extraMetadata whether the driver is told the names of snapshot and content
   * @param firstRetry how soon a driver is asked again at the earliest
   * @param lastRetry how late at the latest
   * @param breaker is asked before the driver destroys anything
   */
  public record Settings(
      DriverNames names,
      boolean extraMetadata,
      Duration firstRetry,
      Duration lastRetry,
      DeletionBreaker breaker) {}

  private final DriverSession session;
  private final Settings settings;
  private final ContentKind<C, H, A> of;
  private final ClusterPorts ports;
  private final DriverFinalizers finalizers;
  private final ContentRequests<C> requests;
  private final ContentReports<C, A> reports;
  private final DeletionAdmission<C> admission;
  // contents whose note says that the driver may have begun, which this process knows better
  private final Set<Uid> ended = ConcurrentHashMap.newKeySet();
  // contents to be destroyed with credentials that the API server did not say, which was told
  private final Set<Uid> unasked = ConcurrentHashMap.newKeySet();

  private Snapshotting(
      DriverSession session, Settings settings, ContentKind<C, H, A> of, ClusterPorts ports) {
    this.session = session;
    this.settings = settings;
    this.of = of;
    this.ports = ports;
    this.finalizers = new DriverFinalizers(ports.writer());
    this.requests = new ContentRequests<>(session.driver(), settings, of, ports.reader());
    this.reports = new ContentReports<>(of, ports, session.driver());
    this.admission =
        new DeletionAdmission<>(settings.breaker(), settings.firstRetry(), reports::notDestroyed);
  }

  /** Of single snapshots; asks for nothing yet. */
  public static Snapshotting<SnapshotContent, ?, ?> ofSnapshots(
      DriverSession session,
      Settings settings,
      Informer<SnapshotClass> classes,
      ContentTwins twins,
      ClusterPorts ports) {
    return new Snapshotting<>(
        session, settings, new SingleSnapshots(session, classes, twins), ports);
  }

  /** Of groups of snapshots; asks for nothing yet. */
  public static Snapshotting<GroupSnapshotContent, ?, ?> ofGroups(
      DriverSession session,
      Settings settings,
      Informer<GroupSnapshotClass> classes,
      ContentTwins twins,
      ClusterPorts ports) {
    return new Snapshotting<>(
        session, settings, new GroupSnapshots(session, classes, twins), ports);
  }

  /** The content is gone: so is what was remembered of it. */
  public void forget(C content) {
    ended.remove(content.meta().uid());
    unasked.remove(content.meta().uid());
    admission.forget(content);
  }

  /** Whether it is one of this driver's. */
  public boolean isOurs(C content) {
    return of.facts(content).driver().equals(session.driver());
  }

  /** What we write down ourselves must not end the back-off that it began. */
  public boolean isOurOwnWord(C before, C now) {
    return of.silent(before).equals(of.silent(now));
  }

  /** Contents that wait until this content no longer uses the same data. */
  public List<ObjectKey> waitingFor(C content) {
    return of.waitingFor(content);
  }

  /** Whether it may have waited for the class of that name. */
  public boolean waitsFor(String className, C content) {
    ContentKind.Facts facts = of.facts(content);
    return facts.className().equals(className) && !facts.ready();
  }

  /** Does what the content needs now. */
  public Outcome sync(C content) throws InterruptedException {
    Optional<Identity> identity = session.identity();
    ContentPlan<H> plan = of.plan(content);
    if (identity.isEmpty() || plan instanceof ContentPlan.Rest<H>) {
      return Outcome.SETTLED; // a driver that becomes ready wakes all
    }
    return switch (plan) {
      case ContentPlan.Rest<H>() -> Outcome.SETTLED;
      case ContentPlan.Create<H>() -> create(content, identity.get());
      case ContentPlan.Look<H>(H handle) -> look(content, handle, identity.get());
      case ContentPlan.Destroy<H>(H handle) -> destroy(content, handle);
      case ContentPlan.LetGo<H>() ->
          finalizers.letGo(of.words().kind(), content, of.marks().protection());
      case ContentPlan.Forget<H>() -> goOn("noting that it is made", reports.begun(content, false));
    };
  }

  /** With the content as it is after the write. */
  private Outcome goOn(String what, WriteResult<C> written) throws InterruptedException {
    return written instanceof WriteResult.Written<C>(C now)
        ? sync(now)
        : Outcome.after(what, written);
  }

  private Outcome create(C content, Identity identity) throws InterruptedException {
    if (!identity.can(of.calls().makes())) {
      return notMade(content, unable()).orElse(Outcome.SETTLED);
    }
    switch (requests.of(content)) {
      case Checked.Invalid<ContentKind.Request>(String why) -> {
        return notMade(content, why).orElseGet(() -> retry(why));
      }
      case Checked.Unknown<ContentKind.Request>(String why) -> {
        return notMade(content, why).orElseGet(() -> unanswered(content, why));
      }
      case Checked.Valid<ContentKind.Request>(ContentKind.Request request) -> {
        boolean known = !of.facts(content).handle().isEmpty();
        boolean noted = content.meta().has(of.marks().beingCreated());
        if (known || noted && !ended.contains(content.meta().uid())) {
          return ask(content, request, !known);
        }
        // first the note, then the call: what was begun is never forgotten; nor is it called where
        // the note that there is may have been taken back by a write without an answer
        WriteResult<C> note = reports.begun(content, true);
        if (!(note instanceof WriteResult.Written<C>(C now))) {
          return Outcome.after("noting that it may be made", note);
        }
        ended.remove(content.meta().uid());
        return ask(now, request, false);
      }
    }
  }

  private String unable() {
    return "CSI driver " + session.driver() + " makes no " + of.words().plural();
  }

  private Outcome ask(C content, ContentKind.Request request, boolean before)
      throws InterruptedException {
    return switch (of.make(content, request)) {
      case Reply.Ok<A>(A answer) -> made(content, answer);
      case Reply.Refused<A> refused -> refused(content, refused, before);
    };
  }

  private Outcome made(C content, A answer) throws InterruptedException {
    ContentKind.Answer said = of.read(answer);
    if (!said.flaw().isEmpty()) {
      String why = "CSI driver " + session.driver() + " " + said.flaw();
      return notMade(content, why).orElseGet(() -> retry(why));
    }
    WriteResult<C> written = reports.made(content, answer);
    if (!(written instanceof WriteResult.Written<C>(C now))) {
      return Outcome.after(writingDown(said), written);
    }
    if (now.meta().has(of.marks().beingCreated())) {
      written = reports.begun(now, false);
      if (written.written().isEmpty()) {
        return Outcome.after("noting that it is made", written);
      }
      now = written.written().get();
    }
    return said.ready() || now.meta().isBeingDeleted() ? again(now) : poll(now);
  }

  private String writingDown(ContentKind.Answer said) {
    return "writing down " + of.words().owner() + " " + said.id();
  }

  /** What follows may be its end. */
  private Outcome again(C content) throws InterruptedException {
    return of.plan(content) instanceof ContentPlan.Create<H> ? poll(content) : sync(content);
  }

  private Outcome poll(C content) {
    Instant since = Instant.ofEpochSecond(content.meta().created());
    Duration age = Duration.between(since, ports.time().now());
    return new Outcome.CheckAgain(SnapshotRules.pollAfter(age, settings.firstRetry()));
  }

  private Outcome refused(C content, Reply.Refused<A> refused, boolean before)
      throws InterruptedException {
    Codes.Meaning meaning = Codes.of(of.calls().call(), refused.code());
    String why =
        "failed to take %s of the %s: \"%s\""
            .formatted(of.words().noun(), of.source(content), refused.text());
    C now = content;
    boolean unknown = of.facts(content).handle().isEmpty();
    if (unknown && SnapshotRules.hasEnded(meaning, before)) {
      ended.add(content.meta().uid());
      WriteResult<C> written = reports.begun(content, false);
      if (written.written().isEmpty()) {
        return Outcome.after("noting that nothing is made", written);
      }
      ended.remove(content.meta().uid());
      now = written.written().get();
      if (now.meta().isBeingDeleted()) {
        return sync(now);
      }
    }
    Outcome later =
        meaning.next() == Codes.Next.SLOWLY
            ? new Outcome.CheckAgain(settings.lastRetry())
            : retry(why);
    return notMade(now, why).orElse(later);
  }

  private Outcome unanswered(C content, String why) {
    return new Outcome.Unanswered("content " + content.key() + ": " + why);
  }

  private static Outcome retry(String why) {
    return new Outcome.Retry(new Failure.Unreachable(why));
  }

  /** Says so; empty if that went well. */
  private Optional<Outcome> notMade(C content, String why) throws InterruptedException {
    return said(
        content,
        of.words().event() + "SnapshotCreationFailed",
        "Failed to create " + of.words().noun() + ": " + why);
  }

  private Optional<Outcome> said(C content, String reason, String message)
      throws InterruptedException {
    WriteResult<C> written = reports.failed(content, reason, message);
    return written.written().isPresent()
        ? Optional.empty()
        : Optional.of(Outcome.after("status of content " + content.key(), written));
  }

  /** One that is there already. */
  private Outcome look(C content, H handle, Identity identity) throws InterruptedException {
    if (!identity.can(of.calls().finds())) {
      Optional<A> believed = of.believed(handle);
      return believed.isPresent()
          ? made(content, believed.get())
          : saidNotFound(content, unable()).orElse(Outcome.SETTLED);
    }
    return switch (requests
        .secretsToFind(content)
        .then(credentials -> of.find(handle, credentials))) {
      case Checked.Invalid<A>(String why) -> saidNotFound(content, why).orElseGet(() -> retry(why));
      case Checked.Unknown<A>(String why) ->
          saidNotFound(content, why).orElseGet(() -> unanswered(content, why));
      case Checked.Valid<A>(A found) -> seen(content, found);
    };
  }

  private Outcome seen(C content, A answer) throws InterruptedException {
    ContentKind.Answer said = of.read(answer);
    WriteResult<C> written = reports.made(content, answer);
    return said.ready() || written.written().isEmpty()
        ? Outcome.after(writingDown(said), written)
        : poll(written.written().get());
  }

  private Optional<Outcome> saidNotFound(C content, String why) throws InterruptedException {
    return said(
        content,
        of.words().event() + "SnapshotContentCheckandUpdateFailed",
        "Failed to check and update " + of.words().noun() + " content: " + why);
  }

  /**
   * Reads the Secret, which may take long, then judges, then records the deletion in the version
   * that was judged, then calls the driver. Nothing may come between the last two.
   */
  private Outcome destroy(C cached, H handle) throws InterruptedException {
    Optional<Outcome> held = admission.held(cached);
    if (held.isPresent()) {
      return held.get();
    }
    switch (requests.secrets(cached)) {
      case Checked.Invalid<Secrets>(String why) -> {
        reports.notDestroyed(cached, "Failed to get snapshot credentials");
        return retry(why);
      }
      case Checked.Unknown<Secrets>(String why) -> {
        if (unasked.add(cached.meta().uid())) {
          reports.notDestroyed(cached, "Failed to get snapshot credentials");
        }
        return unanswered(cached, why);
      }
      case Checked.Valid<Secrets>(Secrets credentials) -> {
        unasked.remove(cached.meta().uid());
        return destroy(cached, handle, credentials);
      }
    }
  }

  private Outcome destroy(C cached, H handle, Secrets credentials) throws InterruptedException {
    ContentVerdict<C> verdict =
        LiveDecisions.decide(
            ports.reader(), LiveFacts.NONE, live -> of.mayBeDestroyed(cached, handle, live));
    return switch (verdict) {
      case ContentVerdict.Confirmed<C>(C content) ->
          requests.haveSameSecret(cached, content)
              ? admission.admit(content, () -> commit(content, handle, credentials))
              : new Outcome.Conflicted("content " + cached.key() + " names another Secret");
      case ContentVerdict.InUse<C>(String user) -> {
        String why = user + " uses the same " + of.words().noun() + " " + of.id(handle);
        reports.notDestroyed(cached, why + "; it is deleted when that object is deleted");
        yield retry("content " + cached.key() + " keeps its data: " + why);
      }
      case ContentVerdict.Gone<C>() -> Outcome.SETTLED;
      case ContentVerdict.Changed<C>() ->
          new Outcome.Conflicted("content " + cached.key() + " has changed");
      case ContentVerdict.CannotTell<C>(String why) -> unanswered(cached, why);
      case ContentVerdict.Ask<C> ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  /** The point of no return. */
  private Outcome commit(C judged, H handle, Secrets credentials) throws InterruptedException {
    WriteResult<C> recorded = reports.deletionStarts(judged);
    if (!(recorded instanceof WriteResult.Written<C>(C content))) {
      return Outcome.after("recording the deletion of content " + judged.key(), recorded);
    }
    return switch (of.destroy(handle, credentials)) {
      case Reply.Ok<Done> _ -> {
        admission.destroyed(content);
        yield goOn("noting that it is destroyed", reports.destroyed(content));
      }
      case Reply.Refused<Done> refused -> {
        String noun = of.words().noun();
        reports.notDestroyed(content, "Failed to delete " + noun);
        yield retry("failed to delete " + noun + " " + of.id(handle) + ": " + refused.text());
      }
    };
  }
}
