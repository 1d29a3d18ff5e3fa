package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.csi.decide.SnapshotNames;
import dev.mooring.csi.decide.SnapshotRules;
import dev.mooring.csi.decide.SnapshotRules.Plan;
import dev.mooring.csi.decide.SnapshotVerdict;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotParameters;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.CsiConnection.CreateSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes, watches and destroys a driver's snapshots. Thread-safe; for one content never called twice
 * at once.
 */
public final class Snapshotting {
  private static final String METADATA = "csi.storage.k8s.io/";

  /**
   * How it goes about it.
   *
   * @param names how snapshots are called
   * @param extraMetadata whether the driver is told the names of snapshot and content
   * @param firstRetry how soon a driver is asked again at the earliest
   * @param lastRetry how late at the latest
   */
  public record Settings(
      SnapshotNames names, boolean extraMetadata, Duration firstRetry, Duration lastRetry) {}

  private final DriverSession session;
  private final Settings settings;
  private final Informer<SnapshotClass> classes;
  private final ClusterPorts ports;
  private final DriverFinalizers finalizers;
  private final SecretReader secrets;
  private final SnapshotReports reports;
  // contents whose note says that the driver may have begun, which this process knows better
  private final Set<Uid> ended = ConcurrentHashMap.newKeySet();
  // contents to be destroyed with credentials that the API server did not say, which was told
  private final Set<Uid> unasked = ConcurrentHashMap.newKeySet();

  /** Asks for nothing yet. */
  public Snapshotting(
      DriverSession session,
      Settings settings,
      Informer<SnapshotClass> classes,
      ClusterPorts ports) {
    this.session = session;
    this.settings = settings;
    this.classes = classes;
    this.ports = ports;
    this.finalizers = new DriverFinalizers(ports.writer());
    this.secrets = new SecretReader(ports.reader());
    this.reports =
        new SnapshotReports(ports.writer(), ports.events(), ports.time(), session.driver());
  }

  /** The content is gone: so is what was remembered of it. */
  public void forget(SnapshotContent content) {
    ended.remove(content.meta().uid());
    unasked.remove(content.meta().uid());
  }

  /** Does what the content needs now. */
  public Outcome sync(SnapshotContent content) throws InterruptedException {
    Optional<Identity> identity = session.identity();
    Plan plan = SnapshotRules.plan(content, session.driver());
    if (identity.isEmpty() || plan instanceof Plan.Rest) {
      return Outcome.SETTLED; // a driver that becomes ready wakes all
    }
    return switch (plan) {
      case Plan.Rest() -> Outcome.SETTLED;
      case Plan.Create() -> create(content, identity.get());
      case Plan.Look(String handle) -> look(content, handle, identity.get());
      case Plan.Destroy(String handle) -> destroy(content, handle);
      case Plan.LetGo() ->
          finalizers.letGo(Kind.SNAPSHOT_CONTENT, content, SnapshotContent.BOUND_PROTECTION);
      case Plan.Forget() -> goOn("noting that it is made", reports.begun(content, false));
    };
  }

  /** With the content as it is after the write. */
  private Outcome goOn(String what, WriteResult<SnapshotContent> written)
      throws InterruptedException {
    return written instanceof WriteResult.Written<SnapshotContent>(SnapshotContent now)
        ? sync(now)
        : Outcome.after(what, written);
  }

  private Outcome create(SnapshotContent content, Identity identity) throws InterruptedException {
    if (!identity.can(Ability.CREATE_DELETE_SNAPSHOT)) {
      return notMade(content, "CSI driver " + session.driver() + " makes no snapshots")
          .orElse(Outcome.SETTLED);
    }
    switch (request(content)) {
      case Checked.Invalid<CreateSnapshot>(String why) -> {
        return notMade(content, why).orElseGet(() -> retry(why));
      }
      case Checked.Unknown<CreateSnapshot>(String why) -> {
        return notMade(content, why).orElseGet(() -> unanswered(content, why));
      }
      case Checked.Valid<CreateSnapshot>(CreateSnapshot request) -> {
        boolean known = !content.status().handle().isEmpty();
        boolean noted = content.meta().has(SnapshotContent.BEING_CREATED);
        boolean before = !known && noted && !ended.remove(content.meta().uid());
        if (known || noted) {
          return ask(content, request, before);
        }
        // first the note, then the call: what was begun is never forgotten
        WriteResult<SnapshotContent> note = reports.begun(content, true);
        return note instanceof WriteResult.Written<SnapshotContent>(SnapshotContent now)
            ? ask(now, request, false)
            : Outcome.after("noting that it may be made", note);
      }
    }
  }

  private Outcome ask(SnapshotContent content, CreateSnapshot request, boolean before)
      throws InterruptedException {
    return switch (session.call("CreateSnapshot", c -> c.createSnapshot(request))) {
      case Reply.Ok<CsiSnapshot>(CsiSnapshot snapshot) -> made(content, snapshot);
      case Reply.Refused<CsiSnapshot> refused -> refused(content, refused, before);
    };
  }

  private Outcome made(SnapshotContent content, CsiSnapshot snapshot) throws InterruptedException {
    if (snapshot.id().isEmpty()) {
      String why = "CSI driver " + session.driver() + " made a snapshot without an id";
      return notMade(content, why).orElseGet(() -> retry(why));
    }
    WriteResult<SnapshotContent> written = reports.made(content, snapshot);
    if (!(written instanceof WriteResult.Written<SnapshotContent>(SnapshotContent now))) {
      return Outcome.after("writing down snapshot " + snapshot.id(), written);
    }
    if (now.meta().has(SnapshotContent.BEING_CREATED)) {
      written = reports.begun(now, false);
      if (written.written().isEmpty()) {
        return Outcome.after("noting that it is made", written);
      }
      now = written.written().get();
    }
    return snapshot.ready() || now.meta().isBeingDeleted() ? again(now) : poll(now);
  }

  /** What follows may be its end. */
  private Outcome again(SnapshotContent content) throws InterruptedException {
    return SnapshotRules.plan(content, session.driver()) instanceof Plan.Create
        ? poll(content)
        : sync(content);
  }

  private Outcome poll(SnapshotContent content) {
    Instant since = Instant.ofEpochSecond(content.meta().created());
    Duration age = Duration.between(since, ports.time().now());
    return new Outcome.CheckAgain(SnapshotRules.pollAfter(age, settings.firstRetry()));
  }

  private Outcome refused(
      SnapshotContent content, Reply.Refused<CsiSnapshot> refused, boolean before)
      throws InterruptedException {
    Codes.Meaning meaning = Codes.of(Codes.Call.CREATE_SNAPSHOT, refused.code());
    String why =
        "failed to take snapshot of the volume "
            + content.source().volumeHandle()
            + ": \""
            + refused.text()
            + "\"";
    SnapshotContent now = content;
    boolean unknown = content.status().handle().isEmpty();
    if (unknown && SnapshotRules.hasEnded(meaning, before)) {
      ended.add(content.meta().uid());
      WriteResult<SnapshotContent> written = reports.begun(content, false);
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

  private static Outcome unanswered(SnapshotContent content, String why) {
    return new Outcome.Unanswered("content " + content.key() + ": " + why);
  }

  private static Outcome retry(String why) {
    return new Outcome.Retry(new Failure.Unreachable(why));
  }

  /** Says so; empty if that went well. */
  private Optional<Outcome> notMade(SnapshotContent content, String why)
      throws InterruptedException {
    return said(content, "SnapshotCreationFailed", "Failed to create snapshot: " + why);
  }

  private Optional<Outcome> said(SnapshotContent content, String reason, String message)
      throws InterruptedException {
    WriteResult<SnapshotContent> written = reports.failed(content, reason, message);
    return written.written().isPresent()
        ? Optional.empty()
        : Optional.of(Outcome.after("status of content " + content.key(), written));
  }

  private Checked<CreateSnapshot> request(SnapshotContent content) throws InterruptedException {
    Optional<SnapshotClass> found = classOf(content);
    if (found.isEmpty()) {
      return new Checked.Invalid<>(
          content.className().isEmpty()
              ? "failed to take snapshot " + content.meta().name() + " without a snapshot class"
              : "there is no VolumeSnapshotClass " + content.className());
    }
    if (!found.get().driver().equals(session.driver())) {
      return new Checked.Invalid<>(
          "VolumeSnapshotClass " + content.className() + " is one of " + found.get().driver());
    }
    SnapshotParameters.Told told = SnapshotParameters.forDriver(found.get().parameters());
    if (!told.flaw().isEmpty()) {
      return new Checked.Invalid<>(told.flaw());
    }
    if (content.snapshot().uid().isNone()) {
      return new Checked.Invalid<>("content " + content.meta().name() + " belongs to no snapshot");
    }
    Map<String, String> parameters = new HashMap<>(told.parameters());
    if (settings.extraMetadata()) {
      parameters.put(METADATA + "volumesnapshot/name", content.snapshot().key().name());
      parameters.put(METADATA + "volumesnapshot/namespace", content.snapshot().key().namespace());
      parameters.put(METADATA + "volumesnapshotcontent/name", content.meta().name());
    }
    return secrets
        .read(secretOf(content))
        .then(credentials ->
            new Checked.Valid<>(
                new CreateSnapshot(
                    settings.names().of(content.snapshot().uid()),
                    content.source().volumeHandle(),
                    Map.copyOf(parameters),
                    credentials)));
  }

  private Optional<SnapshotClass> classOf(SnapshotContent content) {
    return content.className().isEmpty()
        ? Optional.empty()
        : classes.snapshot().get(ObjectKey.cluster(content.className()));
  }

  private static Optional<SecretRef> secretOf(SnapshotContent content) {
    String name = content.meta().annotation(SnapshotContent.SECRET_NAME);
    String namespace = content.meta().annotation(SnapshotContent.SECRET_NAMESPACE);
    return name.isEmpty() || namespace.isEmpty()
        ? Optional.empty()
        : Optional.of(new SecretRef(namespace, name));
  }

  /** One that was there before: a driver that does not list them is believed to have it. */
  private Outcome look(SnapshotContent content, String handle, Identity identity)
      throws InterruptedException {
    if (!identity.can(Ability.LIST_SNAPSHOTS)) {
      return made(content, new CsiSnapshot(handle, 0, 0, true));
    }
    return switch (listSecrets(content)) {
      case Checked.Invalid<Secrets>(String why) -> notFound(content, why);
      case Checked.Unknown<Secrets>(String why) ->
          saidNotFound(content, why).orElseGet(() -> unanswered(content, why));
      case Checked.Valid<Secrets>(Secrets credentials) -> look(content, handle, credentials);
    };
  }

  private Outcome look(SnapshotContent content, String handle, Secrets shown)
      throws InterruptedException {
    return switch (session.call("ListSnapshots", c -> c.snapshot(handle, shown))) {
      case Reply.Ok<Optional<CsiSnapshot>>(Optional<CsiSnapshot> found) ->
          found.isPresent()
              ? seen(content, found.get())
              : notFound(content, "can not find snapshot for snapshotID " + handle);
      case Reply.Refused<Optional<CsiSnapshot>> refused -> notFound(content, refused.text());
    };
  }

  private Outcome seen(SnapshotContent content, CsiSnapshot snapshot) throws InterruptedException {
    WriteResult<SnapshotContent> written = reports.made(content, snapshot);
    return snapshot.ready() || written.written().isEmpty()
        ? Outcome.after("writing down snapshot " + snapshot.id(), written)
        : poll(written.written().get());
  }

  private Checked<Secrets> listSecrets(SnapshotContent content) throws InterruptedException {
    if (!content.status().group().isEmpty()) {
      return secrets.read(secretOf(content)); // it has no class
    }
    Optional<SnapshotClass> found = classOf(content);
    if (found.isEmpty()) {
      return content.className().isEmpty()
          ? new Checked.Valid<>(Secrets.NONE)
          : new Checked.Invalid<>("there is no VolumeSnapshotClass " + content.className());
    }
    SnapshotParameters.Secret secret =
        SnapshotParameters.secret(
            found.get().parameters(), Purpose.LIST, content.meta().name(), Optional.empty());
    if (!secret.flaw().isEmpty()) {
      return new Checked.Invalid<>(secret.flaw());
    }
    return secrets.read(
        secret.isNone()
            ? Optional.empty()
            : Optional.of(new SecretRef(secret.namespace(), secret.name())));
  }

  private Outcome notFound(SnapshotContent content, String why) throws InterruptedException {
    return saidNotFound(content, why).orElseGet(() -> retry(why));
  }

  private Optional<Outcome> saidNotFound(SnapshotContent content, String why)
      throws InterruptedException {
    return said(
        content,
        "SnapshotContentCheckandUpdateFailed",
        "Failed to check and update snapshot content: " + why);
  }

  private Outcome destroy(SnapshotContent cached, String handle) throws InterruptedException {
    SnapshotVerdict verdict =
        LiveDecisions.decide(
            ports.reader(),
            LiveFacts.NONE,
            live -> SnapshotRules.mayBeDestroyed(cached, handle, session.driver(), live));
    return switch (verdict) {
      case SnapshotVerdict.Confirmed(SnapshotContent content) -> destroyed(content, handle);
      case SnapshotVerdict.Gone() -> Outcome.SETTLED;
      case SnapshotVerdict.Changed() ->
          new Outcome.Conflicted("content " + cached.key() + " has changed");
      case SnapshotVerdict.CannotTell(String why) -> unanswered(cached, why);
      case SnapshotVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  private Outcome destroyed(SnapshotContent content, String handle) throws InterruptedException {
    switch (secrets.read(secretOf(content))) {
      case Checked.Invalid<Secrets>(String why) -> {
        reports.notDestroyed(content, "Failed to get snapshot credentials");
        return retry(why);
      }
      case Checked.Unknown<Secrets>(String why) -> {
        if (unasked.add(content.meta().uid())) {
          reports.notDestroyed(content, "Failed to get snapshot credentials");
        }
        return unanswered(content, why);
      }
      case Checked.Valid<Secrets>(Secrets credentials) -> {
        unasked.remove(content.meta().uid());
        return switch (session.call("DeleteSnapshot", c -> c.deleteSnapshot(handle, credentials))) {
          case Reply.Ok<Done> _ -> goOn("noting that it is destroyed", reports.destroyed(content));
          case Reply.Refused<Done> refused -> {
            reports.notDestroyed(content, "Failed to delete snapshot");
            yield retry("failed to delete snapshot " + handle + ": " + refused.text());
          }
        };
      }
    }
  }
}
