package dev.mooring.csi.execute;

import dev.mooring.cluster.Document;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ContentPlan;
import dev.mooring.csi.decide.ContentVerdict;
import dev.mooring.csi.decide.GroupContentRules;
import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.spi.csi.CsiConnection.CreateGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.GroupSnapshotHandle;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

record GroupSnapshots(
    DriverSession session,
    Informer<GroupSnapshotClass> classes,
    ContentTwins twins,
    ContentNames<GroupSnapshotContent> names,
    MetadataKeys keys,
    DriverCalls calls)
    implements ContentKind<GroupSnapshotContent, GroupSnapshotHandle, CsiGroupSnapshot> {
  private static final String STATUS = "status";
  private static final long SECOND = 1_000_000_000L;

  GroupSnapshots(DriverSession session, Informer<GroupSnapshotClass> classes, ContentTwins twins) {
    this(
        session,
        classes,
        twins,
        new ContentNames<>(
            Kind.GROUP_SNAPSHOT_CONTENT,
            "group snapshot",
            "group snapshots",
            "group",
            "Group",
            "VolumeGroupSnapshotClass",
            "volumegroupsnapshot"),
        new MetadataKeys(
            GroupSnapshotContent.BOUND_PROTECTION,
            GroupSnapshotContent.BEING_CREATED,
            GroupSnapshotContent.BEING_DELETED,
            GroupSnapshotContent.SECRET_NAME,
            GroupSnapshotContent.SECRET_NAMESPACE),
        new DriverCalls(
            DriverCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
            DriverCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
            StatusCodeMeanings.Call.CREATE_GROUP_SNAPSHOT,
            Purpose.GROUP_GET));
  }

  @Override
  public ContentFacts facts(GroupSnapshotContent content) {
    return new ContentFacts(
        content.driver(),
        content.className(),
        content.group(),
        content.status().handle(),
        content.status().ready(),
        content.status().problem(),
        false);
  }

  @Override
  public GroupSnapshotContent withoutOwnWrites(GroupSnapshotContent content) {
    return new GroupSnapshotContent(
        ContentKind.withoutOwnWrites(content.meta(), GroupSnapshotContent.BEING_DELETED),
        content.group(),
        content.policy(),
        content.driver(),
        content.className(),
        content.source(),
        GroupSnapshotContent.Status.NONE);
  }

  @Override
  public Optional<ClassFacts> classNamed(String name) {
    return classes
        .get(ObjectKey.cluster(name))
        .map(found -> new ClassFacts(found.driver(), found.parameters()));
  }

  @Override
  public String source(GroupSnapshotContent content) {
    return "volumes " + content.source().volumeHandles();
  }

  @Override
  public ContentPlan<GroupSnapshotHandle> plan(GroupSnapshotContent content) {
    return GroupContentRules.plan(content, session.driver());
  }

  @Override
  public ContentVerdict<GroupSnapshotContent> mayBeDeleted(
      GroupSnapshotContent cached, GroupSnapshotHandle handles, LiveFacts live) {
    return GroupContentRules.mayBeDeleted(
        cached, handles, session.driver(), twins.of(cached), live);
  }

  @Override
  public List<ObjectKey> waitingFor(GroupSnapshotContent content) {
    return twins.waitingFor(content);
  }

  @Override
  public String id(GroupSnapshotHandle handles) {
    return handles.id();
  }

  @Override
  public DriverReply<CsiGroupSnapshot> create(GroupSnapshotContent content, Request request) {
    CreateGroupSnapshot call =
        new CreateGroupSnapshot(
            request.name(),
            content.source().volumeHandles(),
            request.parameters(),
            request.secrets());
    return session.call("CreateVolumeGroupSnapshot", c -> c.createGroupSnapshot(call));
  }

  @Override
  public CheckResult<CsiGroupSnapshot> find(GroupSnapshotHandle handles, DriverSecrets secrets) {
    return switch (session.call(
        "GetVolumeGroupSnapshot", c -> c.getGroupSnapshot(handles, secrets))) {
      case DriverReply.Ok<CsiGroupSnapshot>(CsiGroupSnapshot found) ->
          new CheckResult.Valid<>(
              new CsiGroupSnapshot(
                  handles.id(), found.snapshots(), found.created(), found.ready()));
      case DriverReply.Refused<CsiGroupSnapshot> refused ->
          new CheckResult.Invalid<>(refused.text());
    };
  }

  @Override
  public Optional<CsiGroupSnapshot> assumed(GroupSnapshotHandle handles) {
    return Optional.empty();
  }

  @Override
  public DriverReply<Done> delete(GroupSnapshotHandle handles, DriverSecrets secrets) {
    return session.call("DeleteVolumeGroupSnapshot", c -> c.deleteGroupSnapshot(handles, secrets));
  }

  @Override
  public ParsedAnswer read(CsiGroupSnapshot group) {
    return new ParsedAnswer(group.id(), group.ready(), GroupContentRules.flaw(group));
  }

  @Override
  public Optional<Document> createdStatus(
      GroupSnapshotContent content, CsiGroupSnapshot group, Instant now) {
    GroupSnapshotContent.Status before = content.status();
    long created =
        group.created() != 0 ? Math.floorDiv(group.created(), SECOND) : now.getEpochSecond();
    List<Member> members =
        content.source().volumeHandles().isEmpty()
            ? before.members() // a pre-provisioned group names its snapshots in the status
            : group.snapshots().stream().map(GroupSnapshots::member).toList();
    GroupSnapshotContent.Status status =
        new GroupSnapshotContent.Status(
            before.handle().isEmpty() ? group.id() : before.handle(),
            before.created() != 0 ? before.created() : created,
            group.ready(),
            before.problem(),
            members);
    if (status.equals(before) && (before.problem().isNone() || !group.ready())) {
      return Optional.empty();
    }
    Document patch =
        Document.patchOf(content.meta())
            .set(status.handle(), STATUS, "volumeGroupSnapshotHandle")
            .set(Instant.ofEpochSecond(status.created()).toString(), STATUS, "creationTime")
            .set(status.ready(), STATUS, "readyToUse");
    if (!members.isEmpty()) {
      patch.set(
          members.stream().map(GroupSnapshots::info).toList(), STATUS, "volumeSnapshotInfoList");
    }
    if (group.ready()) {
      patch.set(null, STATUS, "error");
    }
    return Optional.of(patch);
  }

  private static Member member(CsiSnapshot snapshot) {
    return new Member(
        snapshot.volume(),
        snapshot.id(),
        snapshot.created(),
        snapshot.ready(),
        snapshot.sizeBytes());
  }

  private static Map<String, Object> info(Member member) {
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("volumeHandle", member.volumeHandle());
    info.put("snapshotHandle", member.snapshotHandle());
    info.put("readyToUse", member.ready());
    if (member.created() != 0) {
      info.put("creationTime", member.created());
    }
    if (member.restoreSize() != 0) {
      info.put("restoreSize", member.restoreSize());
    }
    return info;
  }

  @Override
  public Document deletedStatus(GroupSnapshotContent content) {
    return Document.patchOf(content.meta())
        .set(null, STATUS, "volumeGroupSnapshotHandle")
        .set(null, STATUS, "readyToUse")
        .set(null, STATUS, "creationTime")
        .set(null, STATUS, "error");
  }
}
