package dev.mooring.it.sim;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimLabels;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Users of snapshots and group snapshots in a {@link CsiWorkload}, with their invariants. */
final class SnapshotUsers {
  private static final int GROUPS = 3;
  private static final int CLAIMS = 6;
  private static final String PRE_EXISTING = "before";
  private static final String API = "groupsnapshot.storage.k8s.io/v1";
  private static final String SINGLE = "snapshot.storage.k8s.io/v1";

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final DriverSnapshots driverSnapshots;
  private final SnapshotAdministrator administrator;
  // names of snapshots whose data is kept and whose content was deleted
  private final Set<String> abandoned = new HashSet<>();
  private long createdObjects;

  SnapshotUsers(Simulation simulation, DriverSnapshots driverSnapshots) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.driverSnapshots = driverSnapshots;
    this.administrator = new SnapshotAdministrator(simulation, driverSnapshots);
  }

  /** Creates the classes, and a group snapshot of other origin that must never be destroyed. */
  void createInitialObjects() {
    for (String policy : List.of("Delete", "Retain")) {
      server.create(
          Kind.GROUP_SNAPSHOT_CLASS,
          "",
          "{'apiVersion':'%s','kind':'VolumeGroupSnapshotClass','metadata':{'name':'%s'},'driver':'d','deletionPolicy':'%s'}"
              .formatted(API, name(policy), policy));
      server.create(
          Kind.SNAPSHOT_CLASS,
          "",
          "{'apiVersion':'%s','kind':'VolumeSnapshotClass','metadata':{'name':'%s'},'driver':'d','deletionPolicy':'%s','parameters':{'csi.storage.k8s.io/snapshotter-secret-name':'keys','csi.storage.k8s.io/snapshotter-secret-namespace':'ns'}}"
              .formatted(SINGLE, name(policy), policy));
    }
    driverSnapshots.addForeign();
    administrator.createRetainedContent();
    server.create(
        Kind.GROUP_SNAPSHOT_CONTENT,
        "",
        "{'apiVersion':'%s','kind':'VolumeGroupSnapshotContent','metadata':{'name':'%s'},'spec':{'driver':'d','deletionPolicy':'Retain','source':{'groupSnapshotHandles':{'volumeGroupSnapshotHandle':'%s','volumeSnapshotHandles':['foreign-1','foreign-2']}},'volumeGroupSnapshotRef':{'namespace':'ns','name':'%s'}}}"
            .formatted(API, PRE_EXISTING, DriverSnapshots.FOREIGN, PRE_EXISTING));
    createGroup(PRE_EXISTING, "'volumeGroupSnapshotContentName':'" + PRE_EXISTING + "'", "");
  }

  private static String name(String policy) {
    return policy.equals("Delete") ? "goes" : "keeps";
  }

  private String anyClass() {
    return random.nextInt(3) == 0 ? "keeps" : "goes";
  }

  long createdCount() {
    return createdObjects;
  }

  private static ObjectKey key(String name) {
    return ObjectKey.of("ns", name);
  }

  /** Called with every write of a process. */
  void onWrite(Resource now) {
    administrator.onWrite(now);
  }

  /** Keeps the data of a content that is about to be destroyed. */
  void rescue(ObjectKey content) {
    administrator.rescue(content);
  }

  /** Reuses all retained contents for new snapshots. */
  void reuseContents() {
    administrator.reuseAll();
  }

  /** Deletes the contents of existing snapshots. */
  void deleteUsed() {
    administrator.deleteUsed();
  }

  /** Returns how often a content was reused for another snapshot. */
  long reuseCount() {
    return administrator.reuseCount();
  }

  /** Returns how often the data of a deleted content was kept. */
  long rescueCount() {
    return administrator.rescueCount();
  }

  /** Lets a user or an administrator take one random step. */
  void act() {
    String name = "g" + random.nextInt(GROUPS);
    GroupSnapshot group = server.find(Kind.GROUP_SNAPSHOT, key(name));
    switch (random.nextInt(15)) {
      case 0, 1, 2, 3 -> {
        if (group == null) {
          createRandomGroup(name);
        }
      }
      case 4, 5 -> {
        if (group != null) {
          delete(group);
        }
      }
      case 6 -> {
        if (random.nextBoolean()) {
          deleteAnySnapshot();
        } else {
          deleteRetained();
        }
      }
      case 12, 13 -> deleteAnySnapshot();
      case 7, 8 -> createSnapshot("s" + random.nextInt(GROUPS), "c" + random.nextInt(CLAIMS));
      case 9, 10, 11 -> administrator.act();
      default -> relabel("c" + random.nextInt(CLAIMS));
    }
  }

  private void createRandomGroup(String name) {
    String app = random.nextBoolean() ? "db" : "web";
    String selector = "'selector':{'matchLabels':{'app':'" + app + "'}}";
    createGroup(name, selector, ",'volumeGroupSnapshotClassName':'" + anyClass() + "'");
  }

  private void createGroup(String name, String source, String specMembers) {
    simulation.addToHistory("user: group " + name + " of " + source + specMembers);
    server.create(
        Kind.GROUP_SNAPSHOT,
        "ns",
        "{'apiVersion':'%s','kind':'VolumeGroupSnapshot','metadata':{'name':'%s'},'spec':{'source':{%s}%s}}"
            .formatted(API, name, source, specMembers));
    GroupSnapshot created = server.find(Kind.GROUP_SNAPSHOT, key(name));
    if (created != null) {
      createdObjects++;
      simulation.addToHistory("its uid is " + created.meta().uid());
    }
  }

  private void delete(GroupSnapshot group) {
    simulation.addToHistory("user: delete group " + group.key());
    server.delete(Kind.GROUP_SNAPSHOT, group.key());
  }

  /** Creates the snapshot from which a claim waits to be restored. */
  void createSource() {
    createSnapshot("late", "late");
  }

  private void createSnapshot(String name, String claim) {
    if (server.find(Kind.SNAPSHOT, key(name)) != null) {
      return;
    }
    simulation.addToHistory("user: snapshot " + name + " of " + claim);
    server.create(
        Kind.SNAPSHOT,
        "ns",
        "{'apiVersion':'%s','kind':'VolumeSnapshot','metadata':{'name':'%s'},'spec':{'source':{'persistentVolumeClaimName':'%s'},'volumeSnapshotClassName':'%s'}}"
            .formatted(SINGLE, name, claim, anyClass()));
    createdObjects++;
  }

  /** Deletes any snapshot, possibly a member of a group. */
  private void deleteAnySnapshot() {
    List<VolumeSnapshot> snapshots = server.list(Kind.SNAPSHOT);
    if (!snapshots.isEmpty()) {
      VolumeSnapshot snapshot = snapshots.get(random.nextInt(snapshots.size()));
      simulation.addToHistory("user: delete snapshot " + snapshot.key());
      server.delete(Kind.SNAPSHOT, snapshot.key());
    }
  }

  private void relabel(String claim) {
    String app = random.nextBoolean() ? "db" : "web";
    simulation.addToHistory("user: " + claim + " gets the label app=" + app);
    server.change(Kind.CLAIM, key(claim), "{'metadata':{'labels':{'app':'" + app + "'}}}");
  }

  /**
   * Deletes retained contents without a snapshot. Their data stays at the driver without an object.
   */
  void deleteRetained() {
    for (SnapshotContent content : server.list(Kind.SNAPSHOT_CONTENT)) {
      if (isRetained(content) && !administrator.isToBeReused(content)) {
        simulation.addToHistory("administrator: delete " + content.key());
        abandoned.add("snapshot-" + content.snapshot().uid());
        administrator.abandon(content);
        server.delete(Kind.SNAPSHOT_CONTENT, content.key());
      }
    }
    for (GroupSnapshotContent content : server.list(Kind.GROUP_SNAPSHOT_CONTENT)) {
      if (isRetained(content)) {
        simulation.addToHistory("administrator: delete " + content.key());
        abandoned.add("groupsnapshot-" + content.group().uid());
        server.delete(Kind.GROUP_SNAPSHOT_CONTENT, content.key());
      }
    }
  }

  private boolean isRetained(SnapshotContent content) {
    return administrator.isUnbound(content)
        || content.policy() == ReclaimPolicy.RETAIN
            && server.list(Kind.SNAPSHOT).stream().noneMatch(content::belongsTo);
  }

  private boolean isRetained(GroupSnapshotContent content) {
    return content.policy() == ReclaimPolicy.RETAIN
        && !content.group().uid().isNone()
        && server.list(Kind.GROUP_SNAPSHOT).stream().noneMatch(content::belongsTo);
  }

  /** Deletes all snapshots and group snapshots. */
  void deleteAll() {
    server.list(Kind.GROUP_SNAPSHOT).forEach(this::delete);
    server.list(Kind.SNAPSHOT).forEach(one -> server.delete(Kind.SNAPSHOT, one.key()));
  }

  /** Acts as the garbage collector: deletes the snapshots of deleted groups. */
  void collectGarbage() {
    for (VolumeSnapshot snapshot : server.list(Kind.SNAPSHOT)) {
      if (!snapshot.meta().isBeingDeleted() && isOrphan(snapshot)) {
        simulation.addToHistory("garbage collector: " + snapshot.key());
        server.delete(Kind.SNAPSHOT, snapshot.key());
      }
    }
  }

  private boolean isOrphan(VolumeSnapshot snapshot) {
    Map<String, Object> members = server.findMembers(Kind.SNAPSHOT, snapshot.key());
    if (members.get("metadata") instanceof Map<?, ?> meta
        && meta.get("ownerReferences") instanceof List<?> owners
        && owners.getFirst() instanceof Map<?, ?> owner) {
      return server.list(Kind.GROUP_SNAPSHOT).stream()
          .noneMatch(group -> group.meta().uid().toString().equals(owner.get("uid")));
    }
    return false;
  }

  /** Returns the objects that are not in their desired state after the faults have ended. */
  List<String> findUnmet() {
    List<String> unmetGoals = new ArrayList<>();
    for (GroupSnapshot group : server.list(Kind.GROUP_SNAPSHOT)) {
      if (group.meta().isBeingDeleted()) {
        unmetGoals.add("group should be gone: " + group);
      } else if (!group.status().ready() && canBeCreated(group)) {
        unmetGoals.add("group is not ready: " + group);
      }
    }
    for (VolumeSnapshot snapshot : server.list(Kind.SNAPSHOT)) {
      boolean member = snapshot.isGroupMember();
      if (snapshot.meta().isBeingDeleted() && !member && !administrator.mustWait(snapshot)) {
        unmetGoals.add("snapshot should be gone: " + snapshot);
      }
      if (!snapshot.meta().isBeingDeleted()
          && !snapshot.status().ready()
          && (member || isBound(key(snapshot.sourceClaim())))) {
        unmetGoals.add("snapshot is not ready: " + snapshot);
      }
    }
    for (SnapshotContent content : server.list(Kind.SNAPSHOT_CONTENT)) {
      if (content.meta().isBeingDeleted() && !administrator.mustWait(content)) {
        unmetGoals.add("content should be gone: " + content);
      }
      if (content.meta().hasAnnotation(SnapshotContent.BEING_CREATED) && !isRetained(content)) {
        unmetGoals.add("content is never created at the driver: " + content);
      }
    }
    for (GroupSnapshotContent content : server.list(Kind.GROUP_SNAPSHOT_CONTENT)) {
      if (content.meta().isBeingDeleted()) {
        unmetGoals.add("content should be gone: " + content);
      }
      if (content.meta().hasAnnotation(GroupSnapshotContent.BEING_CREATED)
          && !isRetained(content)) {
        unmetGoals.add("content is never created at the driver: " + content);
      }
    }
    unmetGoals.addAll(findProtectedClaims());
    unmetGoals.addAll(findUnknown());
    return unmetGoals;
  }

  /** Returns whether the group has a content, or all its claims are bound. */
  private boolean canBeCreated(GroupSnapshot group) {
    if (group.selector().isEmpty()) {
      GroupSnapshotContent content =
          server.find(Kind.GROUP_SNAPSHOT_CONTENT, ObjectKey.cluster(group.sourceContent()));
      return content != null && content.mayBelongTo(group);
    }
    if (!group.status().content().isEmpty()) {
      return true;
    }
    List<ObjectKey> selectedClaims =
        server.list(Kind.CLAIM_LABELS).stream()
            .filter(c -> group.selector().get().matches(c.meta().labels()))
            .map(ClaimLabels::key)
            .toList();
    return !selectedClaims.isEmpty() && selectedClaims.stream().allMatch(this::isBound);
  }

  private boolean isBound(ObjectKey key) {
    Claim claim = server.find(Kind.CLAIM, key);
    return claim != null && claim.phase() == ClaimPhase.BOUND && !claim.meta().isBeingDeleted();
  }

  /** Returns the claims that are protected although no snapshot is being created. */
  private List<String> findProtectedClaims() {
    boolean making =
        server.list(Kind.GROUP_SNAPSHOT).stream().anyMatch(g -> !g.status().ready())
            || server.list(Kind.SNAPSHOT).stream().anyMatch(s -> !s.status().ready());
    return making
        ? List.of()
        : server.list(Kind.CLAIM).stream()
            .filter(c -> c.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION))
            .map(c -> "claim is protected: " + c)
            .toList();
  }

  /** Returns the driver's snapshots that no content names, either alone or in a group. */
  private List<String> findUnknown() {
    Set<String> namedHandles = new HashSet<>();
    server.list(Kind.SNAPSHOT_CONTENT).forEach(c -> namedHandles.add(c.status().handle()));
    server.list(Kind.GROUP_SNAPSHOT_CONTENT).forEach(c -> namedHandles.add(c.status().handle()));
    return driverSnapshots.list().stream()
        .filter(snapshot -> !snapshot.isForeign() && !abandoned.contains(snapshot.name()))
        .filter(snapshot -> !administrator.isAbandoned(snapshot.name()))
        .filter(snapshot ->
            !namedHandles.contains(snapshot.id()) && !namedHandles.contains(snapshot.group()))
        .map(snapshot -> "no content names " + snapshot)
        .toList();
  }

  /**
   * Returns the objects and driver snapshots that are left after all users have deleted everything.
   */
  List<String> findLeftovers() {
    List<String> leftovers = new ArrayList<>();
    server.list(Kind.GROUP_SNAPSHOT).forEach(group -> leftovers.add("group " + group));
    server.list(Kind.SNAPSHOT).forEach(snapshot -> leftovers.add("snapshot " + snapshot));
    server.list(Kind.SNAPSHOT_CONTENT).forEach(c -> leftovers.add("content " + c));
    server.list(Kind.GROUP_SNAPSHOT_CONTENT).forEach(c -> leftovers.add("content " + c));
    leftovers.addAll(findUnknown());
    long foreign =
        driverSnapshots.list().stream().filter(DriverSnapshots.StoredSnapshot::isForeign).count();
    if (foreign != 3) {
      leftovers.add("snapshots of other origin are destroyed: " + driverSnapshots.list());
    }
    return leftovers;
  }
}
