package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.ContestedNodes;
import dev.mooring.attachdetach.decide.DetachCheck.PastUser;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.HeldVolume.Entry;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The actual state of world: the volumes that are attached to nodes, as far as known, and the lists
 * that node statuses must contain. Recovery, operations, verification and event handlers report
 * facts to it. Thread-safe.
 */
public final class ActualStateOfWorld {
  /**
   * Volume on a node.
   *
   * @param reported whether the node's status must list the volume
   * @param onlyInUse whether only the node's list of volumes in use shows the volume
   * @param unwantedSince when the node was first found without need for it, on the monotonic clock;
   *     0 while a pod needs it or nothing was decided
   */
  public record NodeEntry(
      String node, Held held, boolean reported, boolean onlyInUse, long unwantedSince) {}

  private static final HeldVolume NOWHERE = new HeldVolume();

  private final Map<VolumeId, HeldVolume> volumes = new HashMap<>();
  private final Map<String, SortedMap<VolumeId, Entry>> byNode = new HashMap<>();
  private final LastReports lastReports = new LastReports();
  private final Map<String, Long> lastWrites = new HashMap<>(); // of nodes with volumes
  private final UnlistedUses unlisted = new UnlistedUses();
  private long changes;

  /**
   * Records that an attach starts, because a pod needs the volume. From now on it may be attached.
   *
   * @return whether nothing was known of the volume on that node
   */
  public synchronized boolean startAttach(AttachTarget target, String node) {
    boolean isNews = markPossible(target.id(), node, target);
    Entry entry = getOrCreate(target.id(), node, target);
    entry.found = false;
    entry.unwantedSince = 0;
    return isNews;
  }

  /**
   * Records that the volume is attached, so that the node's status must list it.
   *
   * @param devicePath device path in the node's status
   * @param target the volume as it was attached; null if unknown
   */
  public synchronized void setAttached(
      VolumeId id, String node, String devicePath, @Nullable AttachTarget target) {
    Entry entry = getOrCreate(id, node, target);
    entry.held = Held.YES;
    entry.list(true);
    unlisted.remove(id, node);
    entry.devicePath = devicePath;
  }

  /**
   * Records that the volume may be attached: a detach starts; verification did not find it; or the
   * node reports it in use and no pod there waits for it. A volume that only the node's report
   * shows stays so.
   *
   * @param target the volume as it may be attached; null if unknown
   * @return whether nothing was known of the volume on that node
   */
  public synchronized boolean setUncertain(
      VolumeId id, String node, @Nullable AttachTarget target) {
    Entry before = find(id, node);
    boolean onlyInUse = before != null && before.onlyInUse;
    boolean isNews = markPossible(id, node, target);
    getOrCreate(id, node, null).onlyInUse = onlyInUse;
    return isNews;
  }

  private boolean markPossible(VolumeId id, String node, @Nullable AttachTarget target) {
    boolean known = held(id, node) != Held.NO;
    getOrCreate(id, node, target).held = Held.PERHAPS;
    return !known;
  }

  /**
   * Records that the volume may be attached, and that the only evidence is an attachment that this
   * process did not request. Ignored if the volume on that node is already known.
   */
  public synchronized void addFound(VolumeId id, String node, AttachTarget target) {
    Entry known = find(id, node);
    if (known == null || known.onlyInUse) {
      getOrCreate(id, node, target).found = true;
    }
  }

  /** Only the node's own report shows the volume in use. */
  public synchronized void addOnlyInUse(VolumeId id, String node) {
    getOrCreate(id, node, null).onlyInUse = true;
  }

  /**
   * Records that no VolumeAttachment exists, so that at most the node's own report shows the
   * volume. Ignored if the volume is certainly attached, listed by the node's status, or needed
   * there.
   *
   * @return whether that is news
   */
  public synchronized boolean setUntraced(VolumeId id, String node) {
    Entry entry = find(id, node);
    return entry != null && entry.setUntraced();
  }

  private Entry getOrCreate(VolumeId id, String node, @Nullable AttachTarget target) {
    Entry entry = volumes.computeIfAbsent(id, i -> new HeldVolume()).entry(node);
    if (target != null) {
      entry.setTarget(target);
    }
    entry.onlyInUse = false;
    entry.change = ++changes;
    byNode.computeIfAbsent(node, n -> new TreeMap<>()).put(id, entry);
    return entry;
  }

  /** Records that the volume is not attached: a detach succeeded, or an attach did nothing. */
  public synchronized void remove(VolumeId id, String node) {
    HeldVolume volume = volume(id);
    volume.remove(node);
    if (volume.nodes.isEmpty()) {
      volumes.remove(id);
    }
    SortedMap<VolumeId, Entry> there = byNode.get(node);
    if (there != null) {
      there.remove(id);
      if (there.isEmpty()) {
        byNode.remove(node);
        lastReports.remove(node);
        lastWrites.remove(node);
      }
    }
  }

  /** Returns the number of the last change to the volume on that node; 0 if it is not there. */
  public synchronized long change(VolumeId id, String node) {
    Entry entry = find(id, node);
    return entry == null ? 0 : entry.change;
  }

  /**
   * Runs an update that rests on a read after that change.
   *
   * @return false, without effect, if another change has come since
   */
  public synchronized boolean updateUnlessChanged(
      VolumeId id, String node, long change, Runnable update) {
    boolean same = change(id, node) == change;
    if (same) {
      update.run();
    }
    return same;
  }

  private HeldVolume volume(VolumeId id) {
    return volumes.getOrDefault(id, NOWHERE);
  }

  private @Nullable Entry find(VolumeId id, String node) {
    return volume(id).nodes.get(node);
  }

  private void update(VolumeId id, String node, Consumer<Entry> update) {
    Entry entry = find(id, node);
    if (entry != null) {
      update.accept(entry);
    }
  }

  private SortedMap<VolumeId, Entry> entriesOn(String node) {
    return byNode.getOrDefault(node, Collections.emptySortedMap());
  }

  public synchronized Held held(VolumeId id, String node) {
    Entry entry = find(id, node);
    return entry == null ? Held.NO : entry.held;
  }

  /** Sets whether the node's status must list the volume. Ignored if the volume is not there. */
  public synchronized void setListed(VolumeId id, String node, boolean listed) {
    update(id, node, entry -> entry.list(listed));
    if (listed) {
      unlisted.remove(id, node);
    }
  }

  public synchronized void recordListWrite(String node, long now) {
    if (byNode.containsKey(node)) {
      lastWrites.put(node, now);
    }
  }

  /**
   * Returns the time of the last write of the node's list on the monotonic clock, if more volumes
   * are being attached; empty otherwise.
   */
  public synchronized OptionalLong lastWriteOfMany(String node) {
    Long last = lastWrites.get(node);
    return last != null
            && entriesOn(node).values().stream()
                .anyMatch(entry -> entry.held == Held.PERHAPS && !entry.reported)
        ? OptionalLong.of(last)
        : OptionalLong.empty();
  }

  /** Records the unique names in a node's status list. Any client may have written it. */
  public synchronized void recordList(String node, Set<String> names) {
    unlisted.listed(node, names);
  }

  public synchronized void setNeeded(VolumeId id, String node) {
    update(id, node, entry -> entry.unwantedSince = 0);
  }

  /** Records since when, on the monotonic clock, no pod on the node needs the volume. */
  public synchronized void setUnneeded(VolumeId id, String node, long now) {
    update(id, node, entry -> entry.setUnneeded(now));
  }

  /** Records a pod that no longer needs the volume: it ended, or is gone from the caches. */
  public synchronized void addPastUser(VolumeId id, PodUse use) {
    update(id, use.node(), entry -> entry.addUser(new PastUser(use.pod(), use.uid())));
  }

  public synchronized List<PastUser> lastUsers(VolumeId id, String node) {
    Entry entry = find(id, node);
    return entry == null ? List.of() : entry.lastUsers;
  }

  /** Whether a pod on the node requires that only one node has the volume. */
  public synchronized void setExclusive(VolumeId id, String node, boolean exclusive) {
    update(id, node, entry -> entry.setExclusive(exclusive));
  }

  /**
   * Records that a PersistentVolume in use now allows many nodes, whatever its access modes were at
   * the attach.
   */
  public synchronized void share(AttachTarget target) {
    volume(target.id()).share(target);
  }

  /**
   * Records that a PersistentVolume allows one node at a time. An attachment known only from a
   * node's status counts as an attachment of that PersistentVolume.
   */
  public synchronized void assumeExclusive(VolumeId id) {
    volume(id).assumeExclusive();
  }

  public synchronized boolean isExclusive(VolumeId id) {
    return volume(id).isExclusive();
  }

  /** Records the last report of a deleted Node. It counts until a later Node is ready. */
  public synchronized void nodeDeleted(String node, List<String> inUse) {
    if (byNode.containsKey(node)) {
      lastReports.add(node, inUse);
    }
  }

  /** Records that the Node was deleted before this process started. Its last report is unknown. */
  public synchronized void nodeWasDeleted(String node) {
    if (byNode.containsKey(node)) {
      lastReports.addUnknown(node);
    }
  }

  /** Records that the Node exists again and is ready, so that its own report counts. */
  public synchronized void nodeIsReady(String node) {
    lastReports.remove(node);
  }

  /** Returns whether a deleted Node used the volume; true if its last report is unknown. */
  public synchronized boolean wasInUse(VolumeId id, String node) {
    return lastReports.wasInUse(id, node);
  }

  /** Returns whether an earlier Node may have used the volume, and no later one was ready yet. */
  public synchronized boolean usedByEarlierNode(VolumeId id, String node) {
    return lastReports.mayBeInUse(id, node);
  }

  /**
   * Records that a pod on the node starts to want the volume, and that the node neither uses nor
   * lists it.
   */
  public synchronized void addUnlistedUse(VolumeId id, String node) {
    if (find(id, node) == null) {
      unlisted.add(id, node);
    }
  }

  public synchronized void removeUnlistedUse(VolumeId id, String node) {
    unlisted.remove(id, node);
  }

  /**
   * Returns whether pods on the node wait for the volume, and its status has not listed it since
   * the node did not use it.
   */
  public synchronized boolean isNeverListed(VolumeId id, String node) {
    return unlisted.has(id, node);
  }

  public synchronized List<NodeEntry> entries(VolumeId id) {
    return volume(id).entries();
  }

  public synchronized @Nullable NodeEntry entry(VolumeId id, String node) {
    Entry entry = find(id, node);
    return entry == null ? null : entry.on(node);
  }

  public synchronized @Nullable AttachTarget target(VolumeId id, String node) {
    Entry entry = find(id, node);
    return entry == null ? null : entry.target();
  }

  public synchronized List<String> nodes() {
    return byNode.keySet().stream().sorted().toList();
  }

  public synchronized List<VolumeId> on(String node) {
    return List.copyOf(entriesOn(node).keySet());
  }

  public synchronized List<VolumeId> attachedTo(String node) {
    return entriesOn(node).entrySet().stream()
        .filter(one -> one.getValue().held == Held.YES)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the list for the node's status: device paths by unique name. */
  public synchronized SortedMap<String, String> reportOf(String node) {
    SortedMap<String, String> report = new TreeMap<>();
    entriesOn(node)
        .forEach((id, entry) -> {
          if (entry.reported) {
            report.put(id.text(), entry.devicePath);
          }
        });
    return report;
  }

  /**
   * Returns the nodes that may have the volume if there are several and no attach to any of them
   * was confirmed; null otherwise.
   */
  public synchronized @Nullable ContestedNodes contest(VolumeId id) {
    return volume(id).contest();
  }

  /**
   * Returns the nodes that may have the volume only because of a VolumeAttachment that this process
   * did not create, with the number of the last change on each.
   */
  public synchronized Map<String, Long> found(VolumeId id) {
    return volume(id).found();
  }

  public synchronized List<VolumeId> contestedOn(String node) {
    return entriesOn(node).entrySet().stream()
        .filter(one -> one.getValue().isUnconfirmed())
        .map(Map.Entry::getKey)
        .filter(id -> contest(id) != null || found(id).containsKey(node))
        .toList();
  }

  public synchronized Map<String, Integer> counts() {
    Map<String, Integer> counts = new HashMap<>();
    volumes.forEach((id, volume) -> {
      if (volume.hasTarget()) {
        counts.merge(id.label(), volume.nodes.size(), Integer::sum);
      }
    });
    return counts;
  }
}
