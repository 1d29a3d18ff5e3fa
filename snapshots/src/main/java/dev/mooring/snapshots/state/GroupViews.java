package dev.mooring.snapshots.state;

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
 * Looks up the objects of a group snapshot in the caches. Thread-safe.
 *
 * @param groups indexed by this class, like the other caches
 */
public record GroupViews(
    Informer<GroupSnapshot> groups,
    Informer<GroupSnapshotContent> contents,
    Informer<GroupSnapshotClass> classes,
    Informer<VolumeSnapshot> snapshots,
    Informer<SnapshotContent> snapshotContents,
    Informer<Claim> claims,
    Informer<Volume> volumes) {
  // Groups that need their claims, by namespace.
  private static final Index<GroupSnapshot, String> PENDING =
      new Index<>(
          "pending",
          group ->
              GroupDecider.needsItsClaims(group) ? List.of(group.key().namespace()) : List.of());

  // Groups by the name of their content.
  private static final Index<GroupSnapshot, String> BY_CONTENT =
      new Index<>("content", group -> List.of(GroupView.contentName(group)));

  // Contents by group.
  private static final Index<GroupSnapshotContent, ObjectKey> BY_GROUP =
      new Index<>("group", content -> List.of(content.group().key()));

  // Contents by the group's handle at any driver.
  private static final Index<GroupSnapshotContent, String> BY_HANDLE =
      new Index<>(
          "handle",
          content ->
              content.status().handle().isEmpty() ? List.of() : List.of(content.status().handle()));

  // Contents that need their volumes, by volume handle at any driver.
  private static final Index<GroupSnapshotContent, String> NEEDING_VOLUMES =
      new Index<>(
          "needed volume",
          content ->
              ContentDecider.needsItsVolumes(content)
                  ? content.source().volumeHandles()
                  : List.of());

  // Contents by the names of their members' VolumeSnapshots.
  private static final Index<GroupSnapshotContent, String> BY_MEMBER =
      new Index<>(
          "member",
          content ->
              content.status().members().stream()
                  .map(m ->
                      GroupSnapshotContent.nameOfMember(content.group().uid(), m.volumeHandle()))
                  .toList());

  // Contents of snapshots by the group's handle.
  private static final Index<SnapshotContent, String> BY_GROUP_HANDLE =
      new Index<>(
          "group",
          content ->
              content.status().group().isEmpty() ? List.of() : List.of(content.status().group()));

  public GroupViews(SharedInformers informers) {
    this(
        informers.of(Kind.GROUP_SNAPSHOT, PENDING, BY_CONTENT),
        informers.of(Kind.GROUP_SNAPSHOT_CONTENT, BY_GROUP, BY_HANDLE, BY_MEMBER, NEEDING_VOLUMES),
        informers.of(Kind.GROUP_SNAPSHOT_CLASS),
        informers.of(Kind.SNAPSHOT, SnapshotViews.BY_GROUP, SnapshotViews.UNASSIGNED_MEMBERS),
        informers.of(Kind.SNAPSHOT_CONTENT, BY_GROUP_HANDLE),
        informers.of(Kind.CLAIM),
        informers.of(Kind.VOLUME, SnapshotViews.BY_HANDLE));
  }

  /** Reports whether the caches are complete. A cluster may not serve the kinds. */
  public boolean areSynced() {
    return groups.isSynced() && contents.isSynced() && classes.isSynced();
  }

  public GroupView buildView(GroupSnapshot group) {
    Optional<GroupSnapshotContent> content =
        contents.get(ObjectKey.cluster(GroupView.contentName(group)));
    return new GroupView(
        group,
        content,
        classes.snapshot().toList(),
        content.filter(c -> c.belongsTo(group)).map(this::findMembers).orElse(List.of()),
        content.filter(c -> c.belongsTo(group)).map(this::findUnheldClaims).orElse(List.of()),
        Optional.empty());
  }

  private List<Claim> findUnheldClaims(GroupSnapshotContent content) {
    List<Claim> unheldClaims = new ArrayList<>();
    for (String handle : content.source().volumeHandles()) {
      findVolume(content.driver(), handle)
          .flatMap(v -> Optional.ofNullable(v.claimRef()))
          .filter(ref -> ref.claim().namespace().equals(content.group().key().namespace()))
          .flatMap(ref -> claims.get(ref.claim()))
          .filter(claim -> !claim.meta().isBeingDeleted())
          .filter(claim -> !claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION))
          .ifPresent(unheldClaims::add);
    }
    return unheldClaims;
  }

  private List<GroupMember> findMembers(GroupSnapshotContent content) {
    return content.status().members().stream().map(info -> findMember(content, info)).toList();
  }

  private GroupMember findMember(GroupSnapshotContent content, GroupSnapshotContent.Member info) {
    String name = GroupSnapshotContent.nameOfMember(content.group().uid(), info.volumeHandle());
    ObjectKey key = new ObjectKey(content.group().key().namespace(), name);
    return new GroupMember(
        info,
        name,
        snapshots.get(key),
        snapshotContents.get(ObjectKey.cluster(GroupMember.contentName(name))),
        findVolume(content.driver(), info.volumeHandle()));
  }

  private Optional<Volume> findVolume(String driver, String handle) {
    for (Volume volume : volumes.findByIndex(SnapshotViews.BY_HANDLE, handle)) {
      if (volume.source().attribute("driver").equals(driver)) {
        return Optional.of(volume);
      }
    }
    return Optional.empty();
  }

  public List<SourceClaim> findSources(List<ObjectKey> keys) {
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

  public List<VolumeSnapshot> findSnapshots(GroupSnapshot group) {
    Map<ObjectKey, VolumeSnapshot> members = new LinkedHashMap<>();
    for (GroupMember member : buildView(group).members()) {
      member
          .snapshot()
          .filter(VolumeSnapshot::isGroupMember)
          .ifPresent(snapshot -> members.put(snapshot.key(), snapshot));
    }
    for (VolumeSnapshot snapshot : findByGroup(group.key())) {
      members.put(snapshot.key(), snapshot);
    }
    return List.copyOf(members.values());
  }

  public Iterable<VolumeSnapshot> findByGroup(ObjectKey group) {
    return snapshots.findByIndex(SnapshotViews.BY_GROUP, group);
  }

  public Iterable<VolumeSnapshot> findUnassignedMembers(String namespace) {
    return snapshots.findByIndex(SnapshotViews.UNASSIGNED_MEMBERS, namespace);
  }

  // Returns the name of the group that the content names; "" if unknown.
  public String findGroupName(ObjectKey snapshot, SnapshotContent content) {
    if (content.status().group().isEmpty()) {
      return "";
    }
    for (GroupSnapshotContent candidate :
        contents.findByIndex(BY_HANDLE, content.status().group())) {
      // contents of another namespace's groups must not count: their authors may not decide here
      if (candidate.driver().equals(content.driver())
          && candidate.group().key().namespace().equals(snapshot.namespace())) {
        return candidate.group().key().name();
      }
    }
    return "";
  }

  public List<GroupSnapshot> findWaiting(String namespace) {
    List<GroupSnapshot> waitingGroups = new ArrayList<>();
    for (GroupSnapshot group : groups.findByIndex(PENDING, namespace)) {
      if (GroupDecider.waitsForClaims(group)) {
        waitingGroups.add(group);
      }
    }
    return waitingGroups;
  }

  public List<ObjectKey> findSnapshotsNaming(GroupSnapshotContent content) {
    List<ObjectKey> keys = new ArrayList<>();
    if (!content.status().handle().isEmpty()) {
      for (SnapshotContent candidate :
          snapshotContents.findByIndex(BY_GROUP_HANDLE, content.status().handle())) {
        keys.add(candidate.snapshot().key());
      }
    }
    return keys;
  }

  public Iterable<GroupSnapshot> findByContent(String name) {
    return groups.findByIndex(BY_CONTENT, name);
  }

  public List<ObjectKey> findGroupsOfMember(ObjectKey snapshot) {
    List<ObjectKey> groupKeys = new ArrayList<>();
    for (GroupSnapshotContent content : contents.findByIndex(BY_MEMBER, snapshot.name())) {
      if (content.group().key().namespace().equals(snapshot.namespace())) {
        groupKeys.add(content.group().key());
      }
    }
    return groupKeys;
  }

  /**
   * Reports whether a pending group needs the claim, or a driver may be reading its volume for a
   * deleted group.
   */
  public boolean isNeeded(Claim claim) {
    Optional<Volume> volume =
        volumes
            .get(ObjectKey.cluster(claim.volumeName()))
            .filter(v -> v.source().type().equals("csi"));
    if (volume.isEmpty()) {
      return false;
    }
    String handle = volume.get().source().attribute("volumeHandle");
    for (GroupSnapshotContent content : contents.findByIndex(NEEDING_VOLUMES, handle)) {
      if (ContentDecider.needsVolume(content, volume.get())) {
        return true;
      }
    }
    for (GroupSnapshot group : groups.findByIndex(PENDING, claim.key().namespace())) {
      if (hasVolume(group, volume.get())) {
        return true;
      }
    }
    return false;
  }

  private boolean hasVolume(GroupSnapshot group, Volume volume) {
    for (GroupSnapshotContent content : contents.findByIndex(BY_GROUP, group.key())) {
      if (content.belongsTo(group)
          && content.driver().equals(volume.source().attribute("driver"))
          && content.source().volumeHandles().contains(volume.source().attribute("volumeHandle"))) {
        return true;
      }
    }
    return false;
  }
}
