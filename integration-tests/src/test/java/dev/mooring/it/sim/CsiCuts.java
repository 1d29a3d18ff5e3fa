package dev.mooring.it.sim;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.spi.csi.CsiConnection.CreateGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CreateSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.GroupHandles;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.StatusCode;
import java.util.HashSet;
import java.util.List;
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
 */
final class CsiCuts {
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
  record Cut(String id, String name, String volume, String group, long created, long readyAt) {
    boolean isForeign() {
      return name.isEmpty();
    }
  }

  private final Simulation simulation;
  private final SimServer server;
  private final CsiStorage storage;
  private final LongSupplier uploads; // supplies the duration of the next upload
  private final TreeMap<String, Cut> all = new TreeMap<>();
  private final Set<String> names = new HashSet<>();
  private final Set<String> abandoned = new HashSet<>(); // names whose content may be deleted
  private final Set<String> committed = new HashSet<>(); // handles whose deletion a content records
  private int made;
  private int destroyed; // single snapshots only

  CsiCuts(Simulation simulation, CsiStorage storage, LongSupplier uploads) {
    this.simulation = simulation;
    this.server = simulation.server();
    this.storage = storage;
    this.uploads = uploads;
  }

  /** Adds a group and a single snapshot that no controller created. */
  void putForeign() {
    all.put("foreign-1", new Cut("foreign-1", "", "foreign", FOREIGN, 0, 0));
    all.put("foreign-2", new Cut("foreign-2", "", "foreign", FOREIGN, 0, 0));
    all.put("foreign-3", new Cut("foreign-3", "", "foreign", "", 0, 0));
  }

  /**
   * Called when an administrator keeps the data of the snapshot with that name. Its content may be
   * deleted before the snapshot is created.
   */
  void abandon(String name) {
    abandoned.add(name);
  }

  /** Adds a snapshot that we created before the schedule. */
  void putOutlived(String id) {
    all.put(id, new Cut(id, id, "foreign", "", 0, 0));
  }

  List<Cut> all() {
    return List.copyOf(all.values());
  }

  long made() {
    return made;
  }

  /** Returns the number of destroyed single snapshots. */
  long destroyed() {
    return destroyed;
  }

  /**
   * Returns the name in the request that created the snapshot or group with that ID; the ID itself
   * if we did not create it.
   */
  String owner(String id) {
    Cut cut = all.get(id);
    if (cut != null && !cut.isForeign()) {
      return cut.name();
    }
    return id.startsWith(GROUP) ? id.substring(GROUP.length()) : id;
  }

  boolean has(String name) {
    return all.values().stream().anyMatch(cut -> cut.name().equals(name));
  }

  private List<Cut> group(String id) {
    return all.values().stream().filter(cut -> cut.group().equals(id)).toList();
  }

  private Cut cut(String name, String volume, String group) {
    long now = simulation.clock().now();
    Cut cut = new Cut("cut-" + made++, name, volume, group, now, now + uploads.getAsLong());
    all.put(cut.id(), cut);
    return cut;
  }

  private static long upload(long chance) {
    return chance % 2 == 0 ? 0 : Math.floorMod(chance, LONGEST_UPLOAD);
  }

  /** Returns a supplier of random upload durations in nanoseconds; half of them are 0. */
  static LongSupplier uploads(LongSupplier random) {
    return () -> upload(random.getAsLong());
  }

  private boolean isReady(Cut cut) {
    return simulation.isCalm() || simulation.clock().now() >= cut.readyAt();
  }

  private CsiSnapshot told(Cut cut) {
    return new CsiSnapshot(
        cut.id(), CsiStorage.GIB, cut.created(), isReady(cut), cut.volume(), cut.group());
  }

  private void checkName(String name) {
    FinalState.verify(names.add(name), name + " is created twice");
  }

  Reply<CsiSnapshot> create(CreateSnapshot asked) {
    Optional<Cut> there =
        all.values().stream().filter(cut -> cut.name().equals(asked.name())).findFirst();
    if (there.isPresent()) {
      return new Reply.Ok<>(told(there.get()));
    }
    SnapshotContent content =
        server.all(Kind.SNAPSHOT_CONTENT).stream()
            .filter(c -> asked.name().equals("snapshot-" + c.snapshot().uid()))
            .findFirst()
            .orElse(null);
    if (abandoned.contains(asked.name()) && content == null) {
      return CsiDriverSide.refused(StatusCode.ABORTED, "its content is gone and its data is kept");
    }
    FinalState.verify(
        content != null && content.meta().has(SnapshotContent.BEING_CREATED),
        asked.name() + " is created without a record in its content: " + content);
    FinalState.verify(
        !content.meta().has(SnapshotContent.GROUP_MEMBER),
        content + " is created outside its group");
    if (!storage.items.containsKey(asked.volumeId())) {
      return CsiDriverSide.refused(StatusCode.NOT_FOUND, "volume not found");
    }
    checkName(asked.name());
    Cut cut = cut(asked.name(), asked.volumeId(), "");
    simulation.note("driver: creates snapshot " + cut);
    return new Reply.Ok<>(told(cut));
  }

  /**
   * Checks the record that a process is about to delete a snapshot. Whatever forbids the deletion
   * must be written before that record; later writes are too late.
   */
  void written(@Nullable Resource before, Resource now) {
    if (now instanceof SnapshotContent content
        && isRecord(before, now, SnapshotContent.BEING_DELETED)) {
      FinalState.verify(
          content.meta().isBeingDeleted() && content.policy() == ReclaimPolicy.DELETE,
          "the deletion is recorded but not allowed: " + content);
      FinalState.verify(
          server.all(Kind.SNAPSHOT).stream()
              .noneMatch(s -> content.isOf(s) && !s.meta().isBeingDeleted()),
          "the deletion is recorded but the snapshot exists: " + content);
      Set<String> handles = CsiAdministrator.DriverHandles.of(content);
      for (SnapshotContent other : server.all(Kind.SNAPSHOT_CONTENT)) {
        boolean goesToo =
            other.meta().isBeingDeleted()
                && other.policy() == ReclaimPolicy.DELETE
                && server.all(Kind.SNAPSHOT).stream()
                    .noneMatch(s -> other.isOf(s) && !s.meta().isBeingDeleted());
        FinalState.verify(
            other.key().equals(content.key())
                || goesToo
                || !CsiAdministrator.DriverHandles.of(other).removeAll(handles),
            other + " names the data that is deleted with " + content);
      }
      committed.addAll(handles);
    }
    if (now instanceof GroupSnapshotContent content
        && isRecord(before, now, GroupSnapshotContent.BEING_DELETED)) {
      FinalState.verify(
          content.meta().isBeingDeleted() && content.policy() == ReclaimPolicy.DELETE,
          "the deletion is recorded but not allowed: " + content);
      committed.add(content.status().handle());
    }
  }

  private static boolean isRecord(@Nullable Resource before, Resource now, String annotation) {
    String value = now.meta().annotation(annotation);
    return value.startsWith("driver called")
        && (before == null || !value.equals(before.meta().annotation(annotation)));
  }

  Reply<Done> delete(String id) {
    Cut cut = all.get(id);
    if (cut != null) {
      FinalState.verify(!cut.isForeign(), cut + " was not created by us, but is destroyed");
      FinalState.verify(cut.group().isEmpty(), cut + " is destroyed without its group");
      FinalState.verify(committed.contains(id), cut + " is destroyed without a record");
      all.remove(id);
      destroyed++;
      simulation.note("driver: destroys " + cut);
    }
    return new Reply.Ok<>(new Done());
  }

  Optional<CsiSnapshot> find(String id) {
    return Optional.ofNullable(all.get(id)).map(this::told);
  }

  Reply<CsiGroupSnapshot> create(CreateGroupSnapshot asked, boolean lies) {
    String id = GROUP + asked.name();
    if (group(id).isEmpty()) {
      GroupSnapshotContent content =
          server.all(Kind.GROUP_SNAPSHOT_CONTENT).stream()
              .filter(c -> asked.name().equals("groupsnapshot-" + c.group().uid()))
              .findFirst()
              .orElse(null);
      FinalState.verify(
          content != null && content.meta().has(GroupSnapshotContent.BEING_CREATED),
          asked.name() + " is created without a record in its content: " + content);
      if (!storage.items.keySet().containsAll(asked.volumeIds())) {
        return CsiDriverSide.refused(StatusCode.NOT_FOUND, "volume not found");
      }
      checkName(asked.name());
      asked.volumeIds().forEach(volume -> cut(asked.name(), volume, id));
      simulation.note("driver: creates snapshot " + group(id));
    }
    Set<String> volumes = new TreeSet<>();
    group(id).forEach(cut -> volumes.add(cut.volume()));
    FinalState.verify(
        volumes.equals(new TreeSet<>(asked.volumeIds())),
        asked.name() + " is of " + volumes + " but is requested of " + asked.volumeIds());
    CsiGroupSnapshot told = told(id);
    return new Reply.Ok<>(
        lies ? new CsiGroupSnapshot("", told.snapshots(), told.created(), told.ready()) : told);
  }

  private CsiGroupSnapshot told(String id) {
    List<Cut> cuts = group(id);
    return new CsiGroupSnapshot(
        id,
        cuts.stream().map(this::told).toList(),
        cuts.getFirst().created(),
        cuts.stream().allMatch(this::isReady));
  }

  Reply<Done> delete(GroupHandles handles) {
    List<Cut> cuts = group(handles.id());
    if (!cuts.isEmpty()) {
      FinalState.verify(
          cuts.stream().noneMatch(Cut::isForeign),
          cuts + " were not created by us, but are destroyed");
      FinalState.verify(committed.contains(handles.id()), cuts + " are destroyed without a record");
      FinalState.verify(
          Set.copyOf(handles.snapshotIds()).equals(Set.copyOf(cuts.stream().map(Cut::id).toList())),
          cuts + " are deleted with the handles " + handles);
      cuts.forEach(cut -> all.remove(cut.id()));
      simulation.note("driver: destroys " + cuts);
    }
    return new Reply.Ok<>(new Done());
  }

  Optional<CsiGroupSnapshot> find(GroupHandles handles) {
    return group(handles.id()).isEmpty() ? Optional.empty() : Optional.of(told(handles.id()));
  }
}
