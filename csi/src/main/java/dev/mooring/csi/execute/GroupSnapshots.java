package dev.mooring.csi.execute;

import dev.mooring.cluster.Document;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.ContentPlan;
import dev.mooring.csi.decide.ContentVerdict;
import dev.mooring.csi.decide.GroupRules;
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
import dev.mooring.spi.csi.CsiConnection.GroupHandles;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** VolumeGroupSnapshotContents. */
record GroupSnapshots(
    DriverSession session,
    Informer<GroupSnapshotClass> classes,
    ContentTwins twins,
    Words<GroupSnapshotContent> words,
    Marks marks,
    Calls calls)
    implements ContentKind<GroupSnapshotContent, GroupHandles, CsiGroupSnapshot> {
  private static final String STATUS = "status";
  private static final long SECOND = 1_000_000_000L;

  GroupSnapshots(DriverSession session, Informer<GroupSnapshotClass> classes, ContentTwins twins) {
    this(
        session,
        classes,
        twins,
        new Words<>(
            Kind.GROUP_SNAPSHOT_CONTENT,
            "group snapshot",
            "groups of snapshots",
            "group",
            "Group",
            "VolumeGroupSnapshotClass",
            "volumegroupsnapshot"),
        new Marks(
            GroupSnapshotContent.BOUND_PROTECTION,
            GroupSnapshotContent.BEING_CREATED,
            GroupSnapshotContent.BEING_DELETED,
            GroupSnapshotContent.SECRET_NAME,
            GroupSnapshotContent.SECRET_NAMESPACE),
        new Calls(
            Ability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
            Ability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
            Codes.Call.CREATE_GROUP_SNAPSHOT,
            Purpose.GROUP_GET));
  }

  @Override
  public Facts facts(GroupSnapshotContent content) {
    return new Facts(
        content.driver(),
        content.className(),
        content.group(),
        content.status().handle(),
        content.status().ready(),
        content.status().problem(),
        false);
  }

  @Override
  public GroupSnapshotContent silent(GroupSnapshotContent content) {
    return new GroupSnapshotContent(
        ContentKind.silent(content.meta(), GroupSnapshotContent.BEING_DELETED),
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
  public ContentPlan<GroupHandles> plan(GroupSnapshotContent content) {
    return GroupRules.plan(content, session.driver());
  }

  @Override
  public ContentVerdict<GroupSnapshotContent> mayBeDestroyed(
      GroupSnapshotContent cached, GroupHandles handles, LiveFacts live) {
    return GroupRules.mayBeDestroyed(cached, handles, session.driver(), twins.of(cached), live);
  }

  @Override
  public List<ObjectKey> waitingFor(GroupSnapshotContent content) {
    return twins.waitingFor(content);
  }

  @Override
  public String id(GroupHandles handles) {
    return handles.id();
  }

  @Override
  public Reply<CsiGroupSnapshot> make(GroupSnapshotContent content, Request request) {
    CreateGroupSnapshot create =
        new CreateGroupSnapshot(
            request.name(),
            content.source().volumeHandles(),
            request.parameters(),
            request.secrets());
    return session.call("CreateVolumeGroupSnapshot", c -> c.createGroupSnapshot(create));
  }

  @Override
  public Checked<CsiGroupSnapshot> find(GroupHandles handles, Secrets secrets) {
    return switch (session.call("GetVolumeGroupSnapshot", c -> c.groupSnapshot(handles, secrets))) {
      case Reply.Ok<CsiGroupSnapshot>(CsiGroupSnapshot found) ->
          new Checked.Valid<>(
              new CsiGroupSnapshot(
                  handles.id(), found.snapshots(), found.created(), found.ready()));
      case Reply.Refused<CsiGroupSnapshot> refused -> new Checked.Invalid<>(refused.text());
    };
  }

  @Override
  public Optional<CsiGroupSnapshot> believed(GroupHandles handles) {
    return Optional.empty();
  }

  @Override
  public Reply<Done> destroy(GroupHandles handles, Secrets secrets) {
    return session.call("DeleteVolumeGroupSnapshot", c -> c.deleteGroupSnapshot(handles, secrets));
  }

  @Override
  public Answer read(CsiGroupSnapshot group) {
    return new Answer(group.id(), group.ready(), GroupRules.flaw(group));
  }

  @Override
  public Optional<Document> made(
      GroupSnapshotContent content, CsiGroupSnapshot group, Instant now) {
    GroupSnapshotContent.Status before = content.status();
    long said =
        group.created() != 0 ? Math.floorDiv(group.created(), SECOND) : now.getEpochSecond();
    List<Member> members =
        content.source().volumeHandles().isEmpty()
            ? before.members() // whoever made its snapshots names them one by one
            : group.snapshots().stream().map(GroupSnapshots::member).toList();
    GroupSnapshotContent.Status status =
        new GroupSnapshotContent.Status(
            before.handle().isEmpty() ? group.id() : before.handle(),
            before.created() != 0 ? before.created() : said,
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
  public Document destroyed(GroupSnapshotContent content) {
    return Document.patchOf(content.meta())
        .set(null, STATUS, "volumeGroupSnapshotHandle")
        .set(null, STATUS, "readyToUse")
        .set(null, STATUS, "creationTime")
        .set(null, STATUS, "error");
  }
}
