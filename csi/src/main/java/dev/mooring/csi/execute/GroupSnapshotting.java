package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.GroupRules;
import dev.mooring.csi.decide.GroupRules.Plan;
import dev.mooring.csi.decide.GroupVerdict;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.csi.decide.SnapshotRules;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotParameters;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.CsiConnection.CreateGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.GroupHandles;
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
 * Makes, watches and destroys a driver's groups of snapshots. Thread-safe; for one content never
 * called twice at once.
 */
public final class GroupSnapshotting {
  private static final String METADATA = "csi.storage.k8s.io/";

  private final DriverSession session;
  private final Snapshotting.Settings settings;
  private final Informer<GroupSnapshotClass> classes;
  private final ClusterPorts ports;
  private final DriverFinalizers finalizers;
  private final SecretReader secrets;
  private final GroupReports reports;
  // contents whose note says that the driver may have begun, which this process knows better
  private final Set<Uid> ended = ConcurrentHashMap.newKeySet();
  // contents to be destroyed with credentials that the API server did not say, which was told
  private final Set<Uid> unasked = ConcurrentHashMap.newKeySet();

  /** Asks for nothing yet. */
  public GroupSnapshotting(
      DriverSession session,
      Snapshotting.Settings settings,
      Informer<GroupSnapshotClass> classes,
      ClusterPorts ports) {
    this.session = session;
    this.settings = settings;
    this.classes = classes;
    this.ports = ports;
    this.finalizers = new DriverFinalizers(ports.writer());
    this.secrets = new SecretReader(ports.reader());
    this.reports = new GroupReports(ports.writer(), ports.events(), ports.time(), session.driver());
  }

  /** The content is gone: so is what was remembered of it. */
  public void forget(GroupSnapshotContent content) {
    ended.remove(content.meta().uid());
    unasked.remove(content.meta().uid());
  }

  /** Does what the content needs now. */
  public Outcome sync(GroupSnapshotContent content) throws InterruptedException {
    Optional<Identity> identity = session.identity();
    Plan plan = GroupRules.plan(content, session.driver());
    if (identity.isEmpty() || plan instanceof Plan.Rest) {
      return Outcome.SETTLED; // a driver that becomes ready wakes all
    }
    return switch (plan) {
      case Plan.Rest() -> Outcome.SETTLED;
      case Plan.Create() -> create(content, identity.get());
      case Plan.Look(GroupHandles handles) -> look(content, handles, identity.get());
      case Plan.Destroy(GroupHandles handles) -> destroy(content, handles);
      case Plan.LetGo() ->
          finalizers.letGo(
              Kind.GROUP_SNAPSHOT_CONTENT, content, GroupSnapshotContent.BOUND_PROTECTION);
      case Plan.Forget() -> goOn("noting that it is made", reports.begun(content, false));
    };
  }

  /** With the content as it is after the write. */
  private Outcome goOn(String what, WriteResult<GroupSnapshotContent> written)
      throws InterruptedException {
    return written instanceof WriteResult.Written<GroupSnapshotContent>(GroupSnapshotContent now)
        ? sync(now)
        : Outcome.after(what, written);
  }

  private Outcome create(GroupSnapshotContent content, Identity identity)
      throws InterruptedException {
    if (!identity.can(Ability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT)) {
      return notMade(content, unable()).orElse(Outcome.SETTLED);
    }
    switch (request(content)) {
      case Checked.Invalid<CreateGroupSnapshot>(String why) -> {
        return notMade(content, why).orElseGet(() -> retry(why));
      }
      case Checked.Unknown<CreateGroupSnapshot>(String why) -> {
        return notMade(content, why).orElseGet(() -> unanswered(content, why));
      }
      case Checked.Valid<CreateGroupSnapshot>(CreateGroupSnapshot request) -> {
        boolean known = !content.status().handle().isEmpty();
        boolean noted = content.meta().has(GroupSnapshotContent.BEING_CREATED);
        boolean before = !known && noted && !ended.remove(content.meta().uid());
        if (known || noted) {
          return ask(content, request, before);
        }
        // first the note, then the call: what was begun is never forgotten
        WriteResult<GroupSnapshotContent> note = reports.begun(content, true);
        return note instanceof WriteResult.Written<GroupSnapshotContent>(GroupSnapshotContent now)
            ? ask(now, request, false)
            : Outcome.after("noting that it may be made", note);
      }
    }
  }

  private String unable() {
    return "CSI driver " + session.driver() + " makes no groups of snapshots";
  }

  private Outcome ask(GroupSnapshotContent content, CreateGroupSnapshot request, boolean before)
      throws InterruptedException {
    return switch (session.call("CreateVolumeGroupSnapshot", c -> c.createGroupSnapshot(request))) {
      case Reply.Ok<CsiGroupSnapshot>(CsiGroupSnapshot snapshot) -> made(content, snapshot);
      case Reply.Refused<CsiGroupSnapshot> refused -> refused(content, refused, before);
    };
  }

  private Outcome made(GroupSnapshotContent content, CsiGroupSnapshot snapshot)
      throws InterruptedException {
    String flaw = GroupRules.flaw(snapshot);
    if (!flaw.isEmpty()) {
      String why = "CSI driver " + session.driver() + " " + flaw;
      return notMade(content, why).orElseGet(() -> retry(why));
    }
    WriteResult<GroupSnapshotContent> written = reports.made(content, snapshot);
    if (!(written instanceof WriteResult.Written<GroupSnapshotContent>(GroupSnapshotContent now))) {
      return Outcome.after("writing down group " + snapshot.id(), written);
    }
    if (now.meta().has(GroupSnapshotContent.BEING_CREATED)) {
      written = reports.begun(now, false);
      if (written.written().isEmpty()) {
        return Outcome.after("noting that it is made", written);
      }
      now = written.written().get();
    }
    return snapshot.ready() || now.meta().isBeingDeleted() ? again(now) : poll(now);
  }

  /** What follows may be its end. */
  private Outcome again(GroupSnapshotContent content) throws InterruptedException {
    return GroupRules.plan(content, session.driver()) instanceof Plan.Create
        ? poll(content)
        : sync(content);
  }

  private Outcome poll(GroupSnapshotContent content) {
    Instant since = Instant.ofEpochSecond(content.meta().created());
    Duration age = Duration.between(since, ports.time().now());
    return new Outcome.CheckAgain(SnapshotRules.pollAfter(age, settings.firstRetry()));
  }

  private Outcome refused(
      GroupSnapshotContent content, Reply.Refused<CsiGroupSnapshot> refused, boolean before)
      throws InterruptedException {
    Codes.Meaning meaning = Codes.of(Codes.Call.CREATE_GROUP_SNAPSHOT, refused.code());
    String why =
        "failed to take group snapshot of the volumes "
            + content.source().volumeHandles()
            + ": \""
            + refused.text()
            + "\"";
    GroupSnapshotContent now = content;
    boolean unknown = content.status().handle().isEmpty();
    if (unknown && SnapshotRules.hasEnded(meaning, before)) {
      ended.add(content.meta().uid());
      WriteResult<GroupSnapshotContent> written = reports.begun(content, false);
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

  private static Outcome unanswered(GroupSnapshotContent content, String why) {
    return new Outcome.Unanswered("content " + content.key() + ": " + why);
  }

  private static Outcome retry(String why) {
    return new Outcome.Retry(new Failure.Unreachable(why));
  }

  /** Says so; empty if that went well. */
  private Optional<Outcome> notMade(GroupSnapshotContent content, String why)
      throws InterruptedException {
    return said(content, "GroupSnapshotCreationFailed", "Failed to create group snapshot: " + why);
  }

  private Optional<Outcome> said(GroupSnapshotContent content, String reason, String message)
      throws InterruptedException {
    WriteResult<GroupSnapshotContent> written = reports.failed(content, reason, message);
    return written.written().isPresent()
        ? Optional.empty()
        : Optional.of(Outcome.after("status of content " + content.key(), written));
  }

  private Checked<CreateGroupSnapshot> request(GroupSnapshotContent content)
      throws InterruptedException {
    Optional<GroupSnapshotClass> found = classOf(content);
    if (found.isEmpty()) {
      return new Checked.Invalid<>(
          content.className().isEmpty()
              ? "failed to take group snapshot "
                  + content.meta().name()
                  + " without a group snapshot class"
              : "there is no VolumeGroupSnapshotClass " + content.className());
    }
    if (!found.get().driver().equals(session.driver())) {
      return new Checked.Invalid<>(
          "VolumeGroupSnapshotClass " + content.className() + " is one of " + found.get().driver());
    }
    SnapshotParameters.Told told = SnapshotParameters.forDriver(found.get().parameters());
    if (!told.flaw().isEmpty()) {
      return new Checked.Invalid<>(told.flaw());
    }
    if (content.group().uid().isNone()) {
      return new Checked.Invalid<>("content " + content.meta().name() + " belongs to no group");
    }
    Map<String, String> parameters = new HashMap<>(told.parameters());
    if (settings.extraMetadata()) {
      parameters.put(METADATA + "volumegroupsnapshot/name", content.group().key().name());
      parameters.put(METADATA + "volumegroupsnapshot/namespace", content.group().key().namespace());
      parameters.put(METADATA + "volumegroupsnapshotcontent/name", content.meta().name());
    }
    return secrets
        .read(secretOf(content))
        .then(credentials ->
            new Checked.Valid<>(
                new CreateGroupSnapshot(
                    settings.names().of(content.group().uid()),
                    content.source().volumeHandles(),
                    Map.copyOf(parameters),
                    credentials)));
  }

  private Optional<GroupSnapshotClass> classOf(GroupSnapshotContent content) {
    return content.className().isEmpty()
        ? Optional.empty()
        : classes.snapshot().get(ObjectKey.cluster(content.className()));
  }

  private static Optional<SecretRef> secretOf(GroupSnapshotContent content) {
    String name = content.meta().annotation(GroupSnapshotContent.SECRET_NAME);
    String namespace = content.meta().annotation(GroupSnapshotContent.SECRET_NAMESPACE);
    return name.isEmpty() || namespace.isEmpty()
        ? Optional.empty()
        : Optional.of(new SecretRef(namespace, name));
  }

  /** One that was there before. */
  private Outcome look(GroupSnapshotContent content, GroupHandles handles, Identity identity)
      throws InterruptedException {
    if (!identity.can(Ability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT)) {
      return saidNotFound(content, unable()).orElse(Outcome.SETTLED);
    }
    return switch (getSecrets(content)) {
      case Checked.Invalid<Secrets>(String why) -> notFound(content, why);
      case Checked.Unknown<Secrets>(String why) ->
          saidNotFound(content, why).orElseGet(() -> unanswered(content, why));
      case Checked.Valid<Secrets>(Secrets credentials) -> look(content, handles, credentials);
    };
  }

  private Outcome look(GroupSnapshotContent content, GroupHandles handles, Secrets shown)
      throws InterruptedException {
    return switch (session.call("GetVolumeGroupSnapshot", c -> c.groupSnapshot(handles, shown))) {
      case Reply.Ok<CsiGroupSnapshot>(CsiGroupSnapshot found) ->
          seen(
              content,
              new CsiGroupSnapshot(
                  handles.id(), found.snapshots(), found.created(), found.ready()));
      case Reply.Refused<CsiGroupSnapshot> refused -> notFound(content, refused.text());
    };
  }

  private Outcome seen(GroupSnapshotContent content, CsiGroupSnapshot group)
      throws InterruptedException {
    WriteResult<GroupSnapshotContent> written = reports.made(content, group);
    return group.ready() || written.written().isEmpty()
        ? Outcome.after("writing down group " + group.id(), written)
        : poll(written.written().get());
  }

  private Checked<Secrets> getSecrets(GroupSnapshotContent content) throws InterruptedException {
    Optional<GroupSnapshotClass> found = classOf(content);
    if (found.isEmpty()) {
      return content.className().isEmpty()
          ? new Checked.Valid<>(Secrets.NONE)
          : new Checked.Invalid<>("there is no VolumeGroupSnapshotClass " + content.className());
    }
    SnapshotParameters.Secret secret =
        SnapshotParameters.secret(
            found.get().parameters(), Purpose.GROUP_GET, content.meta().name(), Optional.empty());
    if (!secret.flaw().isEmpty()) {
      return new Checked.Invalid<>(secret.flaw());
    }
    return secrets.read(
        secret.isNone()
            ? Optional.empty()
            : Optional.of(new SecretRef(secret.namespace(), secret.name())));
  }

  private Outcome notFound(GroupSnapshotContent content, String why) throws InterruptedException {
    return saidNotFound(content, why).orElseGet(() -> retry(why));
  }

  private Optional<Outcome> saidNotFound(GroupSnapshotContent content, String why)
      throws InterruptedException {
    return said(
        content,
        "GroupSnapshotContentCheckandUpdateFailed",
        "Failed to check and update group snapshot content: " + why);
  }

  private Outcome destroy(GroupSnapshotContent cached, GroupHandles handles)
      throws InterruptedException {
    GroupVerdict verdict =
        LiveDecisions.decide(
            ports.reader(),
            LiveFacts.NONE,
            live -> GroupRules.mayBeDestroyed(cached, handles, session.driver(), live));
    return switch (verdict) {
      case GroupVerdict.Confirmed(GroupSnapshotContent content) -> destroyed(content, handles);
      case GroupVerdict.Gone() -> Outcome.SETTLED;
      case GroupVerdict.Changed() ->
          new Outcome.Conflicted("content " + cached.key() + " has changed");
      case GroupVerdict.CannotTell(String why) -> unanswered(cached, why);
      case GroupVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  private Outcome destroyed(GroupSnapshotContent content, GroupHandles handles)
      throws InterruptedException {
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
        return switch (session.call(
            "DeleteVolumeGroupSnapshot", c -> c.deleteGroupSnapshot(handles, credentials))) {
          case Reply.Ok<Done> _ -> goOn("noting that it is destroyed", reports.destroyed(content));
          case Reply.Refused<Done> refused -> {
            reports.notDestroyed(content, "Failed to delete group snapshot");
            yield retry("failed to delete group snapshot " + handles.id() + ": " + refused.text());
          }
        };
      }
    }
  }
}
