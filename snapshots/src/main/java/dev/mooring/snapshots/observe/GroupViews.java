package dev.mooring.snapshots.observe;

import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.ContentDecider;
import dev.mooring.snapshots.decide.GroupDecider;
import dev.mooring.snapshots.decide.GroupMember;
import dev.mooring.snapshots.decide.GroupView;
import dev.mooring.snapshots.decide.SourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds what a group has to do with. Thread-safe.
 *
 * @param groups the groups, by the indexes of this class as the others
 * @param contents their contents
 * @param classes their classes
 */
public record GroupViews(
    Informer<GroupSnapshot> groups,
    Informer<GroupSnapshotContent> contents,
    Informer<GroupSnapshotClass> classes,
    Informer<VolumeSnapshot> snapshots,
    Informer<SnapshotContent> snapshotContents,
    Informer<Claim> claims,
    Informer<Volume> volumes) {
  /** Groups that hold claims, by their namespace. */
  private static final Index<GroupSnapshot, String> HOLDING =
      new Index<>(
          "holding",
          group ->
              GroupDecider.holdsItsClaims(group) ? List.of(group.key().namespace()) : List.of());

  /** Groups by the name of the content that counts for them. */
  private static final Index<GroupSnapshot, String> BY_CONTENT =
      new Index<>("content", group -> List.of(GroupView.nameOfContent(group)));

  /** Contents by their group. */
  private static final Index<GroupSnapshotContent, ObjectKey> BY_GROUP =
      new Index<>("group", content -> List.of(content.group().key()));

  /** Contents by the group's id at whichever driver. */
  private static final Index<GroupSnapshotContent, String> BY_HANDLE =
      new Index<>(
          "handle",
          content ->
              content.status().handle().isEmpty() ? List.of() : List.of(content.status().handle()));

  /** Contents that hold their volumes, by the ids of these at whichever driver. */
  private static final Index<GroupSnapshotContent, String> HOLDING_VOLUMES =
      new Index<>(
          "volume that is held",
          content ->
              ContentDecider.holdsItsVolumes(content)
                  ? content.source().volumeHandles()
                  : List.of());

  /** Contents by the names of their snapshots' VolumeSnapshots. */
  private static final Index<GroupSnapshotContent, String> BY_MEMBER =
      new Index<>(
          "member",
          content ->
              content.status().members().stream()
                  .map(m ->
                      GroupSnapshotContent.nameOfMember(content.group().uid(), m.volumeHandle()))
                  .toList());

  /** The contents of single snapshots by the group that they were cut with. */
  private static final Index<SnapshotContent, String> CUT_WITH =
      new Index<>(
          "group",
          content ->
              content.status().group().isEmpty() ? List.of() : List.of(content.status().group()));

  /** Over these. */
  public GroupViews(SharedInformers informers) {
    this(
        informers.of(Kind.GROUP_SNAPSHOT, HOLDING, BY_CONTENT),
        informers.of(Kind.GROUP_SNAPSHOT_CONTENT, BY_GROUP, BY_HANDLE, BY_MEMBER, HOLDING_VOLUMES),
        informers.of(Kind.GROUP_SNAPSHOT_CLASS),
        informers.of(Kind.SNAPSHOT, SnapshotViews.BY_GROUP, SnapshotViews.OF_SOME_GROUP),
        informers.of(Kind.SNAPSHOT_CONTENT, CUT_WITH),
        informers.of(Kind.CLAIM),
        informers.of(Kind.VOLUME, SnapshotViews.BY_HANDLE));
  }

  /** Whether it is known which groups there are; a cluster may not have their kinds. */
  public boolean areKnown() {
    return groups.isSynced() && contents.isSynced() && classes.isSynced();
  }

  /** All that a decision about the group rests on that is known. */
  public GroupView of(GroupSnapshot group) {
    List<GroupSnapshotClass> all = new ArrayList<>();
    classes.snapshot().all().forEach(all::add);
    Optional<GroupSnapshotContent> content =
        contents.get(ObjectKey.cluster(GroupView.nameOfContent(group)));
    return new GroupView(
        group,
        content,
        List.copyOf(all),
        content.filter(c -> c.isOf(group)).map(this::membersOf).orElse(List.of()),
        content.filter(c -> c.isOf(group)).map(this::unheld).orElse(List.of()),
        Optional.empty());
  }

  private List<Claim> unheld(GroupSnapshotContent content) {
    List<Claim> all = new ArrayList<>();
    for (String handle : content.source().volumeHandles()) {
      volume(content.driver(), handle)
          .flatMap(v -> Optional.ofNullable(v.claimRef()))
          .filter(ref -> ref.claim().namespace().equals(content.group().key().namespace()))
          .flatMap(ref -> claims.get(ref.claim()))
          .filter(claim -> !claim.meta().isBeingDeleted())
          .filter(claim -> !claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION))
          .ifPresent(all::add);
    }
    return all;
  }

  private List<GroupMember> membersOf(GroupSnapshotContent content) {
    return content.status().members().stream().map(info -> member(content, info)).toList();
  }

  private GroupMember member(GroupSnapshotContent content, GroupSnapshotContent.Member info) {
    String name = GroupSnapshotContent.nameOfMember(content.group().uid(), info.volumeHandle());
    ObjectKey key = new ObjectKey(content.group().key().namespace(), name);
    return new GroupMember(
        info,
        name,
        snapshots.get(key),
        snapshotContents.get(ObjectKey.cluster(GroupMember.contentOf(name))),
        volume(content.driver(), info.volumeHandle()));
  }

  private Optional<Volume> volume(String driver, String handle) {
    for (Volume volume : volumes.by(SnapshotViews.BY_HANDLE, handle)) {
      if (volume.source().attribute("driver").equals(driver)) {
        return Optional.of(volume);
      }
    }
    return Optional.empty();
  }

  /** The claims of these keys. */
  public List<SourceClaim> sources(List<ObjectKey> keys) {
    return keys.stream()
        .map(key -> {
          Optional<Claim> claim = claims.get(key);
          return new SourceClaim(
              key.name(),
              claim,
              claim.flatMap(c -> volumes.get(ObjectKey.cluster(c.volumeName()))));
        })
        .toList();
  }

  /** The snapshots of a group: those that say so, and those that were made for it. */
  public List<VolumeSnapshot> snapshotsOf(GroupSnapshot group) {
    Map<ObjectKey, VolumeSnapshot> all = new LinkedHashMap<>();
    for (GroupMember member : of(group).members()) {
      member
          .snapshot()
          .filter(VolumeSnapshot::isOfGroup)
          .ifPresent(snapshot -> all.put(snapshot.key(), snapshot));
    }
    for (VolumeSnapshot snapshot : membersOf(group.key())) {
      all.put(snapshot.key(), snapshot);
    }
    return List.copyOf(all.values());
  }

  /** The snapshots that say that they are of the group. */
  public Iterable<VolumeSnapshot> membersOf(ObjectKey group) {
    return snapshots.by(SnapshotViews.BY_GROUP, group);
  }

  /** The snapshots of the namespace that are of a group, and do not say of which. */
  public Iterable<VolumeSnapshot> ofSomeGroup(String namespace) {
    return snapshots.by(SnapshotViews.OF_SOME_GROUP, namespace);
  }

  /** The name of the group that a snapshot's content was cut with; "" if it is not known. */
  public String nameFor(ObjectKey snapshot, SnapshotContent content) {
    if (content.status().group().isEmpty()) {
      return "";
    }
    for (GroupSnapshotContent one : contents.by(BY_HANDLE, content.status().group())) {
      // whoever writes a content of another namespace's must not have a say here
      if (one.driver().equals(content.driver())
          && one.group().key().namespace().equals(snapshot.namespace())) {
        return one.group().key().name();
      }
    }
    return "";
  }

  /** The groups of the namespace that may wait for claims. */
  public List<GroupSnapshot> waiting(String namespace) {
    List<GroupSnapshot> all = new ArrayList<>();
    for (GroupSnapshot group : groups.by(HOLDING, namespace)) {
      if (GroupDecider.waitsForClaims(group)) {
        all.add(group);
      }
    }
    return all;
  }

  /** The snapshots whose contents say that they were cut with that group. */
  public List<ObjectKey> cutWith(GroupSnapshotContent content) {
    List<ObjectKey> all = new ArrayList<>();
    if (!content.status().handle().isEmpty()) {
      for (SnapshotContent one : snapshotContents.by(CUT_WITH, content.status().handle())) {
        all.add(one.snapshot().key());
      }
    }
    return all;
  }

  /** The groups for which the content of that name counts. */
  public Iterable<GroupSnapshot> ofContent(String name) {
    return groups.by(BY_CONTENT, name);
  }

  /** The groups that have a snapshot of that name. */
  public List<ObjectKey> ofMember(ObjectKey snapshot) {
    List<ObjectKey> all = new ArrayList<>();
    for (GroupSnapshotContent content : contents.by(BY_MEMBER, snapshot.name())) {
      if (content.group().key().namespace().equals(snapshot.namespace())) {
        all.add(content.group().key());
      }
    }
    return all;
  }

  /**
   * Whether a group that is being made is one of that claim too, or the driver may be cutting its
   * volume for one that has gone.
   */
  public boolean anyHolds(Claim claim) {
    Optional<Volume> volume =
        volumes
            .get(ObjectKey.cluster(claim.volumeName()))
            .filter(v -> v.source().type().equals("csi"));
    if (volume.isEmpty()) {
      return false;
    }
    String handle = volume.get().source().attribute("volumeHandle");
    for (GroupSnapshotContent content : contents.by(HOLDING_VOLUMES, handle)) {
      if (ContentDecider.holds(content, volume.get())) {
        return true;
      }
    }
    for (GroupSnapshot group : groups.by(HOLDING, claim.key().namespace())) {
      if (isOf(group, volume.get())) {
        return true;
      }
    }
    return false;
  }

  private boolean isOf(GroupSnapshot group, Volume volume) {
    for (GroupSnapshotContent content : contents.by(BY_GROUP, group.key())) {
      if (content.isOf(group)
          && content.driver().equals(volume.source().attribute("driver"))
          && content.source().volumeHandles().contains(volume.source().attribute("volumeHandle"))) {
        return true;
      }
    }
    return false;
  }
}
