package dev.mooring.csi.execute;

import dev.mooring.cluster.Document;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ContentPlan;
import dev.mooring.csi.decide.ContentVerdict;
import dev.mooring.csi.decide.SnapshotContentRules;
import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.spi.csi.CsiConnection.CreateSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

record SingleSnapshots(
    DriverSession session,
    Informer<SnapshotClass> classes,
    ContentTwins twins,
    ContentNames<SnapshotContent> names,
    MetadataKeys keys,
    DriverCalls calls)
    implements ContentKind<SnapshotContent, String, CsiSnapshot> {
  private static final String STATUS = "status";
  private static final long SECOND = 1_000_000_000L;

  SingleSnapshots(DriverSession session, Informer<SnapshotClass> classes, ContentTwins twins) {
    this(
        session,
        classes,
        twins,
        new ContentNames<>(
            Kind.SNAPSHOT_CONTENT,
            "snapshot",
            "snapshots",
            "snapshot",
            "",
            "VolumeSnapshotClass",
            "volumesnapshot"),
        new MetadataKeys(
            SnapshotContent.BOUND_PROTECTION,
            SnapshotContent.BEING_CREATED,
            SnapshotContent.BEING_DELETED,
            SnapshotContent.SECRET_NAME,
            SnapshotContent.SECRET_NAMESPACE),
        new DriverCalls(
            DriverCapability.CREATE_DELETE_SNAPSHOT,
            DriverCapability.LIST_SNAPSHOTS,
            StatusCodeMeanings.Call.CREATE_SNAPSHOT,
            Purpose.LIST));
  }

  @Override
  public ContentFacts facts(SnapshotContent content) {
    SnapshotContent.Status status = content.status();
    return new ContentFacts(
        content.driver(),
        content.className(),
        content.snapshot(),
        status.handle(),
        status.ready(),
        status.problem(),
        !status.group().isEmpty());
  }

  @Override
  public SnapshotContent withoutOwnWrites(SnapshotContent content) {
    return content.withStatus(
        ContentKind.withoutOwnWrites(content.meta(), SnapshotContent.BEING_DELETED),
        SnapshotContent.Status.NONE);
  }

  @Override
  public Optional<ClassFacts> classNamed(String name) {
    return classes
        .get(ObjectKey.cluster(name))
        .map(found -> new ClassFacts(found.driver(), found.parameters()));
  }

  @Override
  public String source(SnapshotContent content) {
    return "volume " + content.source().volumeHandle();
  }

  @Override
  public ContentPlan<String> plan(SnapshotContent content) {
    return SnapshotContentRules.plan(content, session.driver());
  }

  @Override
  public ContentVerdict<SnapshotContent> mayBeDeleted(
      SnapshotContent cached, String handle, LiveFacts live) {
    return SnapshotContentRules.mayBeDeleted(
        cached, handle, session.driver(), twins.of(cached), live);
  }

  @Override
  public List<ObjectKey> waitingFor(SnapshotContent content) {
    return twins.waitingFor(content);
  }

  @Override
  public String id(String handle) {
    return handle;
  }

  @Override
  public DriverReply<CsiSnapshot> create(SnapshotContent content, Request request) {
    CreateSnapshot call =
        new CreateSnapshot(
            request.name(),
            content.source().volumeHandle(),
            request.parameters(),
            request.secrets());
    return session.call("CreateSnapshot", c -> c.createSnapshot(call));
  }

  @Override
  public CheckResult<CsiSnapshot> find(String handle, DriverSecrets secrets) {
    return switch (session.call("ListSnapshots", c -> c.getSnapshot(handle, secrets))) {
      case DriverReply.Ok<Optional<CsiSnapshot>>(Optional<CsiSnapshot> found) ->
          found
              .<CheckResult<CsiSnapshot>>map(CheckResult.Valid::new)
              .orElseGet(() ->
                  new CheckResult.Invalid<>("can not find snapshot for snapshotID " + handle));
      case DriverReply.Refused<Optional<CsiSnapshot>> refused ->
          new CheckResult.Invalid<>(refused.text());
    };
  }

  /** A driver that cannot list snapshots is assumed to have them. */
  @Override
  public Optional<CsiSnapshot> assumed(String handle) {
    return Optional.of(new CsiSnapshot(handle, 0, 0, true));
  }

  @Override
  public DriverReply<Done> delete(String handle, DriverSecrets secrets) {
    return session.call("DeleteSnapshot", c -> c.deleteSnapshot(handle, secrets));
  }

  @Override
  public ParsedAnswer read(CsiSnapshot snapshot) {
    return new ParsedAnswer(
        snapshot.id(),
        snapshot.ready(),
        snapshot.id().isEmpty() ? "created a snapshot without an id" : "");
  }

  @Override
  public Optional<Document> createdStatus(
      SnapshotContent content, CsiSnapshot snapshot, Instant now) {
    SnapshotContent.Status before = content.status();
    long created = snapshot.created() != 0 ? snapshot.created() : nanos(now);
    long size = before.restoreSize() != 0 ? before.restoreSize() : snapshot.sizeBytes();
    SnapshotContent.Status status =
        new SnapshotContent.Status(
            before.handle().isEmpty() ? snapshot.id() : before.handle(),
            before.created() != 0 ? before.created() : created,
            size,
            snapshot.ready(),
            before.problem(),
            before.group().isEmpty() ? snapshot.group() : before.group());
    if (status.equals(before) && (before.problem().isNone() || !snapshot.ready())) {
      return Optional.empty();
    }
    Document patch =
        Document.patchOf(content.meta())
            .set(status.handle(), STATUS, "snapshotHandle")
            .set(status.created(), STATUS, "creationTime")
            .set(status.ready(), STATUS, "readyToUse");
    if (size > 0) {
      patch.set(size, STATUS, "restoreSize");
    }
    if (!status.group().isEmpty()) {
      patch.set(status.group(), STATUS, "volumeGroupSnapshotHandle");
    }
    if (snapshot.ready()) {
      patch.set(null, STATUS, "error");
    }
    return Optional.of(patch);
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * SECOND + instant.getNano();
  }

  @Override
  public Document deletedStatus(SnapshotContent content) {
    return Document.patchOf(content.meta())
        .set(null, STATUS, "snapshotHandle")
        .set(null, STATUS, "readyToUse")
        .set(null, STATUS, "creationTime")
        .set(null, STATUS, "restoreSize");
  }
}
