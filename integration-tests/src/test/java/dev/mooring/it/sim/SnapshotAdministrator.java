package dev.mooring.it.sim;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * Fault: an administrator of a {@link CsiWorkload} changes VolumeSnapshotContents by hand. The
 * administrator creates a second content for the same snapshot of the driver (a twin), keeps the
 * data of deleted contents, and reuses a content for a new snapshot.
 */
final class SnapshotAdministrator {
  private static final String API = "snapshot.storage.k8s.io/v1";

  /** Name of the content, of its snapshot, and of the snapshot at the driver. */
  private static final String OUTLIVED = "twin-outlived";

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final DriverSnapshots driverSnapshots;
  // names of driver snapshots that no content needs to name
  private final Set<String> abandoned = new HashSet<>();
  private final Set<Uid> boundSnapshots = new HashSet<>(); // snapshots whose status names a content
  private int twins;
  private long rescued;
  private long adopted;

  SnapshotAdministrator(Simulation simulation, DriverSnapshots driverSnapshots) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.driverSnapshots = driverSnapshots;
  }

  /**
   * Creates a retained content whose snapshot was deleted. It still has the annotation that records
   * that deletion.
   */
  void createRetainedContent() {
    driverSnapshots.addRetained(OUTLIVED);
    server.create(
        Kind.SNAPSHOT_CONTENT,
        "",
        "{'apiVersion':'%s','kind':'VolumeSnapshotContent','metadata':{'name':'%s','annotations':{'%s':'yes'}},'spec':{'driver':'d','deletionPolicy':'Retain','source':{'snapshotHandle':'%s'},'volumeSnapshotRef':{'namespace':'ns','name':'%s','uid':'%s'}}}"
            .formatted(
                API, OUTLIVED, SnapshotContent.BEING_DELETED, OUTLIVED, OUTLIVED, new UUID(0, 1)));
  }

  /** Changes or creates one content. */
  void act() {
    List<SnapshotContent> contents =
        server.list(Kind.SNAPSHOT_CONTENT).stream().filter(c -> !isOfGroup(c)).toList();
    if (contents.isEmpty()) {
      return;
    }
    SnapshotContent content = contents.get(random.nextInt(contents.size()));
    switch (random.nextInt(7)) {
      case 0 -> createTwin(content);
      case 1, 2 -> retain(content);
      case 3 -> delete(content);
      case 4 -> anyTwin(contents).ifPresent(this::delete);
      case 5 -> anyTwin(contents).ifPresent(this::reuse);
      default -> anyTwin(contents).ifPresent(this::deleteSnapshot);
    }
  }

  private Optional<SnapshotContent> anyTwin(List<SnapshotContent> contents) {
    List<SnapshotContent> twins = contents.stream().filter(SnapshotAdministrator::isTwin).toList();
    return twins.isEmpty() ? Optional.empty() : Optional.of(simulation.pick(twins));
  }

  private static boolean isTwin(SnapshotContent content) {
    return content.key().name().startsWith("twin-");
  }

  private void deleteSnapshot(SnapshotContent content) {
    simulation.addToHistory("user: delete snapshot " + content.snapshot().key());
    server.delete(Kind.SNAPSHOT, content.snapshot().key());
  }

  private static boolean isOfGroup(SnapshotContent content) {
    return content.meta().hasAnnotation(SnapshotContent.GROUP_MEMBER)
        || !content.status().group().isEmpty();
  }

  /** Creates a twin: a content that names the same snapshot of the driver. */
  private void createTwin(SnapshotContent content) {
    boolean isReady = // otherwise the source claim would stay protected until the twin is gone
        server.list(Kind.SNAPSHOT).stream()
            .anyMatch(s -> content.belongsTo(s) && s.status().ready());
    if (!isReady || content.meta().isBeingDeleted()) {
      return;
    }
    String name = "twin-" + twins++;
    simulation.addToHistory("administrator: " + name + " of " + content.key());
    server.create(
        Kind.SNAPSHOT_CONTENT,
        "",
        "{'apiVersion':'%s','kind':'VolumeSnapshotContent','metadata':{'name':'%s'},'spec':{'driver':'d','deletionPolicy':'Retain','source':{'snapshotHandle':'%s'},'volumeSnapshotRef':{'namespace':'ns','name':'%s'}}}"
            .formatted(API, name, content.status().handle(), name));
    createSnapshot(name);
  }

  private void createSnapshot(String content) {
    server.create(
        Kind.SNAPSHOT,
        "ns",
        "{'apiVersion':'%s','kind':'VolumeSnapshot','metadata':{'name':'%s'},'spec':{'source':{'volumeSnapshotContentName':'%s'}}}"
            .formatted(API, content, content));
  }

  /** Keeps the data of a content that is about to be destroyed, unless it belongs to a group. */
  void rescue(ObjectKey key) {
    SnapshotContent content = server.find(Kind.SNAPSHOT_CONTENT, key);
    if (content != null && !isOfGroup(content)) {
      retain(content);
    }
  }

  /** Returns how often a content was reused for a new snapshot. */
  long reuseCount() {
    return adopted;
  }

  /** Returns how often the data of a deleted content was kept. */
  long rescueCount() {
    return rescued;
  }

  /** Sets the policy of a content that is being deleted to Retain. */
  private void retain(SnapshotContent content) {
    boolean hasTwin = // a write to one twin does not fail the conditional write of the other
        server.list(Kind.SNAPSHOT_CONTENT).stream()
            .filter(other -> !other.key().equals(content.key()))
            .map(DriverHandles::findHandles)
            .anyMatch(handles -> handles.removeAll(DriverHandles.findHandles(content)));
    if (content.meta().isBeingDeleted() && content.policy() == ReclaimPolicy.DELETE && !hasTwin) {
      rescued++;
      simulation.addToHistory("administrator: keep the data of " + content.key());
      abandon(content);
      server.change(Kind.SNAPSHOT_CONTENT, content.key(), "{'spec':{'deletionPolicy':'Retain'}}");
    }
  }

  /** Reuses a retained content for a new snapshot, and sets its policy to Delete. */
  private void reuse(SnapshotContent content) {
    boolean isRetained =
        content.policy() == ReclaimPolicy.RETAIN
            && !content.source().snapshotHandle().isEmpty()
            && !content.status().handle().isEmpty()
            && !content.meta().isBeingDeleted()
            && server.find(Kind.SNAPSHOT, content.snapshot().key()) == null;
    if (isRetained && isTwin(content)) {
      adopted++;
      simulation.addToHistory("administrator: new snapshot for " + content.key());
      server.change(
          Kind.SNAPSHOT_CONTENT,
          content.key(),
          "{'spec':{'deletionPolicy':'Delete','volumeSnapshotRef':{'uid':null}}}");
      createSnapshot(content.key().name());
    }
  }

  /** Reuses all retained contents. */
  void reuseAll() {
    server.list(Kind.SNAPSHOT_CONTENT).forEach(this::reuse);
  }

  /**
   * Deletes all contents of existing snapshots. Their data must stay until the snapshots are
   * deleted.
   */
  void deleteUsed() {
    for (SnapshotContent content : server.list(Kind.SNAPSHOT_CONTENT)) {
      if (!isOfGroup(content) && isUsed(content)) {
        simulation.addToHistory("administrator: delete " + content.key());
        server.delete(Kind.SNAPSHOT_CONTENT, content.key());
      }
    }
  }

  /** Deletes a content although its snapshot exists. */
  private void delete(SnapshotContent content) {
    if (random.nextInt(3) > 0 || isToBeReused(content) || !isTwin(content) && !isUsed(content)) {
      return;
    }
    simulation.addToHistory("administrator: delete " + content.key());
    if (isTwin(content)) {
      abandon(content);
    }
    server.delete(Kind.SNAPSHOT_CONTENT, content.key());
  }

  /** Returns whether the content existed before the schedule and is still to be reused. */
  boolean isToBeReused(SnapshotContent content) {
    return !simulation.areFaultsOver()
        && content.key().name().equals(OUTLIVED)
        && content.policy() == ReclaimPolicy.RETAIN;
  }

  private boolean isUsed(SnapshotContent content) {
    return content.policy() == ReclaimPolicy.DELETE
        && server.list(Kind.SNAPSHOT).stream()
            .anyMatch(
                s -> content.belongsTo(s) && s.status().ready() && !s.meta().isBeingDeleted());
  }

  /** Records that no content needs to name the data of this content from now on. */
  void abandon(SnapshotContent content) {
    DriverHandles.findHandles(content)
        .forEach(handle -> abandoned.add(driverSnapshots.requestName(handle)));
    abandoned.add("snapshot-" + content.snapshot().uid()); // its handle may still be unknown
    driverSnapshots.abandon("snapshot-" + content.snapshot().uid());
  }

  /** Returns whether no content needs to name the driver snapshot of that name. */
  boolean isAbandoned(String name) {
    return abandoned.contains(name);
  }

  /** Returns whether the content must wait for the deletion of a snapshot or another content. */
  boolean mustWait(SnapshotContent content) {
    Set<String> handles = DriverHandles.findHandles(content);
    return server.list(Kind.SNAPSHOT).stream()
            .anyMatch(s -> content.mayBelongTo(s) && !s.meta().isBeingDeleted())
        || server.list(Kind.SNAPSHOT_CONTENT).stream()
            .filter(other -> !other.key().equals(content.key()))
            .anyMatch(
                other -> DriverHandles.findHandles(other).stream().anyMatch(handles::contains));
  }

  /** Returns whether the snapshot waits for a content that must wait itself. */
  boolean mustWait(VolumeSnapshot snapshot) {
    return server.list(Kind.SNAPSHOT_CONTENT).stream()
        .anyMatch(content -> content.belongsTo(snapshot) && mustWait(content));
  }

  /** Called with every write of a process. */
  void onWrite(Resource now) {
    if (now instanceof VolumeSnapshot snapshot && !snapshot.status().content().isEmpty()) {
      boundSnapshots.add(snapshot.meta().uid());
    }
  }

  /**
   * Returns whether the administrator created the content, and no snapshot was ever bound to it.
   */
  boolean isUnbound(SnapshotContent content) {
    return isTwin(content)
        && !boundSnapshots.contains(content.snapshot().uid())
        && server.list(Kind.SNAPSHOT).stream().noneMatch(content::mayBelongTo);
  }

  /** Handles of driver snapshots that a content names. */
  static final class DriverHandles {
    private DriverHandles() {}

    static Set<String> findHandles(SnapshotContent content) {
      Set<String> handles = new HashSet<>();
      handles.add(content.status().handle());
      handles.add(content.source().snapshotHandle());
      handles.remove("");
      return handles;
    }
  }
}
