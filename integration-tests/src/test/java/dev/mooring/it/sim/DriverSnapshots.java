package dev.mooring.it.sim;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.spi.csi.CsiConnection.CreateGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CreateSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.GroupSnapshotHandle;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots at the CSI driver, single ones and those of groups.
 *
 * <p>Invariant: a snapshot is created only once, and only if its content records that first.
 *
 * <p>Invariant: a snapshot is destroyed only if its content records that first, and that record was
 * allowed. Snapshots of other origin are never destroyed.
 *
 * <p>Invariant: no other content named the same snapshot when that record was made, unless that
 * content was so new that a cache did not have it.
 */
final class DriverSnapshots {
  static final String FOREIGN = "foreign-group";
  private static final String GROUP = "group-of-";
  private static final long LONGEST_UPLOAD = 90_000_000_000L;

  /**
   * A snapshot at the driver.
   *
   * @param name name in the request that created it or its group; "" if it existed before
   * @param group ID of its group; "" for none
   * @param readyAt time from which volumes can be restored from it
   */
  record StoredSnapshot(
      String id, String name, String volume, String group, long created, long readyAt) {
    boolean isForeign() {
      return name.isEmpty();
    }
  }

  private final Simulation simulation;
  private final SimServer server;
  private final CsiDriverStorage storage;
  private final LongSupplier uploads; // supplies the duration of the next upload
  private final TreeMap<String, StoredSnapshot> snapshotsById = new TreeMap<>();
  private final Set<String> names = new HashSet<>();
  private final Set<String> abandoned = new HashSet<>(); // names whose content may be deleted
  private final Set<String> committed = new HashSet<>(); // handles whose deletion a content records
  // twins that were in every cache when a content became due for deletion
  private final Map<Uid, Set<Uid>> knownTwins = new HashMap<>();
  private int created;
  private int destroyed; // single snapshots only

  DriverSnapshots(Simulation simulation, CsiDriverStorage storage, LongSupplier uploads) {
    this.simulation = simulation;
    this.server = simulation.server();
    this.storage = storage;
    this.uploads = uploads;
  }

  /** Adds a group and a single snapshot that no controller created. */
  void addForeign() {
    snapshotsById.put("foreign-1", new StoredSnapshot("foreign-1", "", "foreign", FOREIGN, 0, 0));
    snapshotsById.put("foreign-2", new StoredSnapshot("foreign-2", "", "foreign", FOREIGN, 0, 0));
    snapshotsById.put("foreign-3", new StoredSnapshot("foreign-3", "", "foreign", "", 0, 0));
  }

  /**
   * Called when an administrator keeps the data of the snapshot with that name. Its content may be
   * deleted before the snapshot is created.
   */
  void abandon(String name) {
    abandoned.add(name);
  }

  /** Adds a snapshot that we created before the schedule. */
  void addRetained(String id) {
    snapshotsById.put(id, new StoredSnapshot(id, id, "foreign", "", 0, 0));
  }

  List<StoredSnapshot> list() {
    return List.copyOf(snapshotsById.values());
  }

  long createdCount() {
    return created;
  }

  /** Returns the number of destroyed single snapshots. */
  long destroyedCount() {
    return destroyed;
  }

  /**
   * Returns the name in the request that created the snapshot or group with that ID; the ID itself
   * if we did not create it.
   */
  String requestName(String id) {
    StoredSnapshot snapshot = snapshotsById.get(id);
    if (snapshot != null && !snapshot.isForeign()) {
      return snapshot.name();
    }
    return id.startsWith(GROUP) ? id.substring(GROUP.length()) : id;
  }

  boolean contains(String name) {
    return snapshotsById.values().stream().anyMatch(snapshot -> snapshot.name().equals(name));
  }

  private List<StoredSnapshot> group(String id) {
    return snapshotsById.values().stream().filter(snapshot -> snapshot.group().equals(id)).toList();
  }

  private StoredSnapshot addSnapshot(String name, String volume, String group) {
    long now = simulation.clock().now();
    StoredSnapshot snapshot =
        new StoredSnapshot("cut-" + created++, name, volume, group, now, now + uploads.getAsLong());
    snapshotsById.put(snapshot.id(), snapshot);
    return snapshot;
  }

  private static long uploadNanos(long chance) {
    return chance % 2 == 0 ? 0 : Math.floorMod(chance, LONGEST_UPLOAD);
  }

  /** Returns a supplier of random upload durations in nanoseconds; half of them are 0. */
  static LongSupplier uploads(LongSupplier random) {
    return () -> uploadNanos(random.getAsLong());
  }

  private boolean isReady(StoredSnapshot snapshot) {
    return simulation.areFaultsOver() || simulation.clock().now() >= snapshot.readyAt();
  }

  private CsiSnapshot response(StoredSnapshot snapshot) {
    return new CsiSnapshot(
        snapshot.id(),
        CsiDriverStorage.GIB,
        snapshot.created(),
        isReady(snapshot),
        snapshot.volume(),
        snapshot.group(),
        List.of());
  }

  private void checkName(String name) {
    FinalState.verify(names.add(name), name + " is created twice");
  }

  DriverReply<CsiSnapshot> create(CreateSnapshot request) {
    Optional<StoredSnapshot> existingSnapshot =
        snapshotsById.values().stream()
            .filter(snapshot -> snapshot.name().equals(request.name()))
            .findFirst();
    if (existingSnapshot.isPresent()) {
      return new DriverReply.Ok<>(response(existingSnapshot.get()));
    }
    SnapshotContent content =
        server.list(Kind.SNAPSHOT_CONTENT).stream()
            .filter(c -> request.name().equals("snapshot-" + c.snapshot().uid()))
            .findFirst()
            .orElse(null);
    if (abandoned.contains(request.name()) && content == null) {
      return CsiDriverProcess.rejected(
          StatusCode.ABORTED, "its content is gone and its data is kept");
    }
    FinalState.verify(
        content != null && content.meta().hasAnnotation(SnapshotContent.BEING_CREATED),
        request.name() + " is created without a record in its content: " + content);
    FinalState.verify(
        !content.meta().hasAnnotation(SnapshotContent.GROUP_MEMBER),
        content + " is created outside its group");
    if (!storage.items.containsKey(request.volumeId())) {
      return CsiDriverProcess.rejected(StatusCode.NOT_FOUND, "volume not found");
    }
    checkName(request.name());
    StoredSnapshot snapshot = addSnapshot(request.name(), request.volumeId(), "");
    simulation.addToHistory("driver: creates snapshot " + snapshot);
    return new DriverReply.Ok<>(response(snapshot));
  }

  /**
   * Checks the record that a process is about to delete a snapshot. Whatever forbids the deletion
   * must be written before that record; later writes are too late. A twin forbids it only if it was
   * in every cache when the content became due for deletion, since processes find twins in caches.
   */
  void onWrite(@Nullable Resource previous, Resource now) {
    if (now instanceof SnapshotContent content) {
      findKnownTwins(content);
    }
    if (now instanceof SnapshotContent content
        && isRecord(previous, now, SnapshotContent.BEING_DELETED)) {
      FinalState.verify(
          content.meta().isBeingDeleted() && content.policy() == ReclaimPolicy.DELETE,
          "the deletion is recorded but not allowed: " + content);
      FinalState.verify(
          server.list(Kind.SNAPSHOT).stream()
              .noneMatch(s -> content.belongsTo(s) && !s.meta().isBeingDeleted()),
          "the deletion is recorded but the snapshot exists: " + content);
      Set<String> handles = SnapshotAdministrator.DriverHandles.findHandles(content);
      for (SnapshotContent otherContent : server.list(Kind.SNAPSHOT_CONTENT)) {
        boolean goesToo =
            otherContent.meta().isBeingDeleted()
                && otherContent.policy() == ReclaimPolicy.DELETE
                && server.list(Kind.SNAPSHOT).stream()
                    .noneMatch(s -> otherContent.belongsTo(s) && !s.meta().isBeingDeleted());
        FinalState.verify(
            otherContent.key().equals(content.key())
                || goesToo
                || !knownTwins.get(content.meta().uid()).contains(otherContent.meta().uid())
                || !SnapshotAdministrator.DriverHandles.findHandles(otherContent)
                    .removeAll(handles),
            otherContent + " names the data that is deleted with " + content);
      }
      committed.addAll(handles);
    }
    if (now instanceof GroupSnapshotContent content
        && isRecord(previous, now, GroupSnapshotContent.BEING_DELETED)) {
      FinalState.verify(
          content.meta().isBeingDeleted() && content.policy() == ReclaimPolicy.DELETE,
          "the deletion is recorded but not allowed: " + content);
      committed.add(content.status().handle());
    }
  }

  private void findKnownTwins(SnapshotContent content) {
    Uid uid = content.meta().uid();
    if (!content.meta().hasAnnotation(SnapshotContent.BEING_DELETED)) {
      knownTwins.remove(uid);
    } else if (!knownTwins.containsKey(uid)) {
      Set<Uid> cachedUids = new HashSet<>();
      server.list(Kind.SNAPSHOT_CONTENT).stream()
          .filter(other -> simulation.isInEveryCache(Kind.SNAPSHOT_CONTENT, other))
          .forEach(other -> cachedUids.add(other.meta().uid()));
      knownTwins.put(uid, cachedUids);
    }
  }

  private static boolean isRecord(@Nullable Resource previous, Resource now, String annotation) {
    String value = now.meta().annotation(annotation);
    return value.startsWith("driver called")
        && (previous == null || !value.equals(previous.meta().annotation(annotation)));
  }

  DriverReply<Done> delete(String id) {
    StoredSnapshot snapshot = snapshotsById.get(id);
    if (snapshot != null) {
      FinalState.verify(
          !snapshot.isForeign(), snapshot + " was not created by us, but is destroyed");
      FinalState.verify(snapshot.group().isEmpty(), snapshot + " is destroyed without its group");
      FinalState.verify(committed.contains(id), snapshot + " is destroyed without a record");
      snapshotsById.remove(id);
      destroyed++;
      simulation.addToHistory("driver: destroys " + snapshot);
    }
    return new DriverReply.Ok<>(new Done());
  }

  Optional<CsiSnapshot> find(String id) {
    return Optional.ofNullable(snapshotsById.get(id)).map(this::response);
  }

  DriverReply<CsiGroupSnapshot> create(CreateGroupSnapshot request, boolean isWrong) {
    String id = GROUP + request.name();
    if (group(id).isEmpty()) {
      GroupSnapshotContent content =
          server.list(Kind.GROUP_SNAPSHOT_CONTENT).stream()
              .filter(c -> request.name().equals("groupsnapshot-" + c.group().uid()))
              .findFirst()
              .orElse(null);
      FinalState.verify(
          content != null && content.meta().hasAnnotation(GroupSnapshotContent.BEING_CREATED),
          request.name() + " is created without a record in its content: " + content);
      if (!storage.items.keySet().containsAll(request.volumeIds())) {
        return CsiDriverProcess.rejected(StatusCode.NOT_FOUND, "volume not found");
      }
      checkName(request.name());
      request.volumeIds().forEach(volume -> addSnapshot(request.name(), volume, id));
      simulation.addToHistory("driver: creates snapshot " + group(id));
    }
    Set<String> volumes = new TreeSet<>();
    group(id).forEach(snapshot -> volumes.add(snapshot.volume()));
    FinalState.verify(
        volumes.equals(new TreeSet<>(request.volumeIds())),
        request.name() + " is of " + volumes + " but is requested of " + request.volumeIds());
    CsiGroupSnapshot response = response(id);
    return new DriverReply.Ok<>(
        isWrong
            ? new CsiGroupSnapshot("", response.snapshots(), response.created(), response.ready())
            : response);
  }

  private CsiGroupSnapshot response(String id) {
    List<StoredSnapshot> members = group(id);
    return new CsiGroupSnapshot(
        id,
        members.stream().map(this::response).toList(),
        members.getFirst().created(),
        members.stream().allMatch(this::isReady));
  }

  DriverReply<Done> delete(GroupSnapshotHandle handles) {
    List<StoredSnapshot> members = group(handles.id());
    if (!members.isEmpty()) {
      FinalState.verify(
          members.stream().noneMatch(StoredSnapshot::isForeign),
          members + " were not created by us, but are destroyed");
      FinalState.verify(
          committed.contains(handles.id()), members + " are destroyed without a record");
      FinalState.verify(
          Set.copyOf(handles.snapshotIds())
              .equals(Set.copyOf(members.stream().map(StoredSnapshot::id).toList())),
          members + " are deleted with the handles " + handles);
      members.forEach(snapshot -> snapshotsById.remove(snapshot.id()));
      simulation.addToHistory("driver: destroys " + members);
    }
    return new DriverReply.Ok<>(new Done());
  }

  Optional<CsiGroupSnapshot> find(GroupSnapshotHandle handles) {
    return group(handles.id()).isEmpty() ? Optional.empty() : Optional.of(response(handles.id()));
  }
}
