package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.ContestedNodes;
import dev.mooring.attachdetach.decide.DetachCheck.PastUser;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.AttachedVolume.Entry;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private static final AttachedVolume NOT_ATTACHED = new AttachedVolume();
  private final Map<VolumeId, AttachedVolume> volumes = new HashMap<>();
  private final Map<String, SortedMap<VolumeId, Entry>> entriesByNode = new HashMap<>();
  private final LastReports lastReports = new LastReports();
  private final StatusWriteTimes statusWrites = new StatusWriteTimes(); // of nodes with volumes
  private final UnlistedUses unlistedUses = new UnlistedUses();
  private long changeCount;

  /**
   * Records that an attach starts, because a pod needs the volume. From then on it may be attached.
   *
   * @return whether nothing was known of the volume on that node
   */
  public synchronized boolean startAttach(AttachTarget target, String node) {
    boolean isNew = markPossible(target.id(), node, target);
    Entry entry = getOrCreate(target.id(), node, target);
    entry.onlyAttachment = false;
    entry.unneededSince = 0;
    return isNew;
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
    entry.attachState = AttachState.ATTACHED;
    entry.setListed(true);
    unlistedUses.remove(id, node);
    entry.devicePath = devicePath;
  }

  /**
   * Records that the volume may be attached: a detach starts; verification did not find it; or the
   * node reports it in use and no pod there waits for it. Keeps {@code onlyInUse}.
   *
   * @param target the volume as it may be attached; null if unknown
   * @return whether nothing was known of the volume on that node
   */
  public synchronized boolean setUncertain(
      VolumeId id, String node, @Nullable AttachTarget target) {
    Entry existing = findEntry(id, node);
    boolean onlyInUse = existing != null && existing.onlyInUse;
    boolean isNew = markPossible(id, node, target);
    getOrCreate(id, node, null).onlyInUse = onlyInUse;
    return isNew;
  }

  private boolean markPossible(VolumeId id, String node, @Nullable AttachTarget target) {
    boolean isKnown = attachState(id, node) != AttachState.DETACHED;
    getOrCreate(id, node, target).attachState = AttachState.UNCERTAIN;
    return !isKnown;
  }

  /**
   * Records that the volume may be attached, and that the only evidence is an attachment that this
   * process did not request. Ignored if the volume on that node is already known.
   */
  public synchronized void addFromAttachment(VolumeId id, String node, AttachTarget target) {
    Entry existing = findEntry(id, node);
    if (existing == null || existing.onlyInUse) {
      getOrCreate(id, node, target).onlyAttachment = true;
    }
  }

  /** Records that only the node's own report shows the volume in use. */
  public synchronized void addOnlyInUse(VolumeId id, String node) {
    getOrCreate(id, node, null).onlyInUse = true;
  }

  /**
   * Records that no VolumeAttachment exists, so that at most the node's own report shows the
   * volume. Ignored if the volume is certainly attached, listed by the node's status, or needed
   * there.
   *
   * @return whether this changed the state
   */
  public synchronized boolean setUntraced(VolumeId id, String node) {
    Entry entry = findEntry(id, node);
    return entry != null && entry.setUntraced();
  }

  private Entry getOrCreate(VolumeId id, String node, @Nullable AttachTarget target) {
    Entry entry = volumes.computeIfAbsent(id, i -> new AttachedVolume()).getOrCreateEntry(node);
    if (target != null) {
      entry.setTarget(target);
    }
    entry.onlyInUse = false;
    entry.change = ++changeCount;
    entriesByNode.computeIfAbsent(node, n -> new TreeMap<>()).put(id, entry);
    return entry;
  }

  /** Records that the volume is not attached: a detach succeeded, or an attach did nothing. */
  public synchronized void remove(VolumeId id, String node) {
    AttachedVolume volume = findVolume(id);
    volume.remove(node);
    if (volume.nodes.isEmpty()) {
      volumes.remove(id);
    }
    SortedMap<VolumeId, Entry> nodeEntries = entriesByNode.get(node);
    if (nodeEntries != null) {
      nodeEntries.remove(id);
      if (nodeEntries.isEmpty()) {
        entriesByNode.remove(node);
        lastReports.remove(node);
        statusWrites.remove(node);
      }
    }
  }

  /** Returns the number of the last change to the volume on that node; 0 if it is not there. */
  public synchronized long change(VolumeId id, String node) {
    Entry entry = findEntry(id, node);
    return entry == null ? 0 : entry.change;
  }

  /**
   * Runs an update that is based on a read after that change.
   *
   * @return false, without effect, if another change has come since
   */
  public synchronized boolean updateUnlessChanged(
      VolumeId id, String node, long change, Runnable update) {
    boolean isUnchanged = change(id, node) == change;
    if (isUnchanged) {
      update.run();
    }
    return isUnchanged;
  }

  private AttachedVolume findVolume(VolumeId id) {
    return volumes.getOrDefault(id, NOT_ATTACHED);
  }

  private @Nullable Entry findEntry(VolumeId id, String node) {
    return findVolume(id).nodes.get(node);
  }

  private void updateEntry(VolumeId id, String node, Consumer<Entry> update) {
    Entry entry = findEntry(id, node);
    if (entry != null) {
      update.accept(entry);
    }
  }

  private SortedMap<VolumeId, Entry> entriesOn(String node) {
    return entriesByNode.getOrDefault(node, Collections.emptySortedMap());
  }

  public synchronized AttachState attachState(VolumeId id, String node) {
    Entry entry = findEntry(id, node);
    return entry == null ? AttachState.DETACHED : entry.attachState;
  }

  /** Sets whether the node's status must list the volume. Ignored if the volume is not there. */
  public synchronized void setListed(VolumeId id, String node, boolean isListed) {
    updateEntry(id, node, entry -> entry.setListed(isListed));
    if (isListed) {
      unlistedUses.remove(id, node);
    }
  }

  public synchronized void recordStatusWriteStart(String node, long now) {
    if (entriesByNode.containsKey(node)) {
      statusWrites.recordStart(node, now);
    }
  }

  public synchronized void recordStatusWriteEnd(String node, long now) {
    statusWrites.recordEnd(node, now);
  }

  /** Returns the delay of a write of the node's list; zero if no attach is running. */
  public synchronized Duration findStatusDelay(String node, long now) {
    return entriesOn(node).values().stream().anyMatch(Entry::isPendingAttach)
        ? statusWrites.findDelay(node, now)
        : Duration.ZERO;
  }

  /**
   * Records which volumes a node uses and lists. If only the node's report showed a volume, and the
   * node no longer reports it, the volume is not mounted. A later report then does not prove a
   * mount until the status lists the volume.
   */
  public synchronized void recordReport(
      String node, Collection<String> usedNames, Set<String> listedNames) {
    entriesOn(node)
        .forEach(
            (id, entry) -> entry.hasEndedUse |= entry.onlyInUse && !usedNames.contains(id.text()));
    recordStatusList(node, listedNames);
  }

  /** Records the unique names in a node's status list. Any client may have written it. */
  public synchronized void recordStatusList(String node, Set<String> names) {
    unlistedUses.removeListed(node, names);
    entriesOn(node).forEach((id, entry) -> entry.hasEndedUse &= !names.contains(id.text()));
  }

  public synchronized void setNeeded(VolumeId id, String node) {
    updateEntry(id, node, entry -> entry.unneededSince = 0);
  }

  /** Records since when, on the monotonic clock, no pod on the node needs the volume. */
  public synchronized void setUnneeded(VolumeId id, String node, long now) {
    updateEntry(id, node, entry -> entry.setUnneeded(now));
  }

  /** Records a pod that no longer needs the volume: it ended, or is gone from the caches. */
  public synchronized void addPastUser(VolumeId id, PodUse use) {
    updateEntry(id, use.node(), entry -> entry.addUser(new PastUser(use.pod(), use.uid())));
  }

  public synchronized List<PastUser> lastUsers(VolumeId id, String node) {
    Entry entry = findEntry(id, node);
    return entry == null ? List.of() : entry.lastUsers;
  }

  /** Records whether a pod on the node requires that only one node has the volume. */
  public synchronized void setExclusive(VolumeId id, String node, boolean isExclusive) {
    updateEntry(id, node, entry -> entry.setExclusive(isExclusive));
  }

  /** Records that a PersistentVolume in use now allows many nodes. */
  public synchronized void setShared(AttachTarget target) {
    findVolume(target.id()).setShared(target);
  }

  /**
   * Records that a PersistentVolume allows one node at a time. An attachment known only from a
   * node's status counts as an attachment of that PersistentVolume.
   */
  public synchronized void assumeExclusive(VolumeId id) {
    findVolume(id).assumeExclusive();
  }

  public synchronized boolean isExclusive(VolumeId id) {
    return findVolume(id).isExclusive();
  }

  /** Records the last report of a deleted Node. It counts until a later Node is ready. */
  public synchronized void recordDeletedNode(String node, List<String> inUse) {
    if (entriesByNode.containsKey(node)) {
      lastReports.add(node, inUse);
    }
  }

  /** Records that the Node was deleted and that no watch event contained its last report. */
  public synchronized void recordUnseenDeletion(String node) {
    if (entriesByNode.containsKey(node)) {
      lastReports.addUnknown(node);
    }
  }

  /** Records that the Node exists again and is ready, so that its own report counts. */
  public synchronized void recordReadyNode(String node) {
    lastReports.remove(node);
  }

  /** Returns whether a deleted Node used the volume; true if its last report is unknown. */
  public synchronized boolean wasInUse(VolumeId id, String node) {
    return lastReports.wasInUse(id, node);
  }

  /** Returns whether an earlier Node may have used the volume, and no later one was ready yet. */
  public synchronized boolean wasUsedByEarlierNode(VolumeId id, String node) {
    return lastReports.mayBeInUse(id, node);
  }

  /** Records that a pod starts to need a volume that its node neither uses nor lists. */
  public synchronized void addUnlistedUse(VolumeId id, String node) {
    if (findEntry(id, node) == null) {
      unlistedUses.add(id, node);
    }
  }

  public synchronized void removeUnlistedUse(VolumeId id, String node) {
    unlistedUses.remove(id, node);
  }

  /**
   * Returns whether the node cannot have mounted the volume. This is known if the node's status has
   * not listed the volume since a time when the node did not use it, and if a pod on the node waits
   * for the volume or only the node's report shows it.
   */
  public synchronized boolean isNeverListed(VolumeId id, String node) {
    Entry entry = findEntry(id, node);
    return unlistedUses.contains(id, node) || (entry != null && entry.hasEndedUse);
  }

  public synchronized List<NodeEntry> entries(VolumeId id) {
    return findVolume(id).entries();
  }

  public synchronized @Nullable NodeEntry entry(VolumeId id, String node) {
    Entry entry = findEntry(id, node);
    return entry == null ? null : entry.createNodeEntry(node);
  }

  public synchronized @Nullable AttachTarget target(VolumeId id, String node) {
    Entry entry = findEntry(id, node);
    return entry == null ? null : entry.target();
  }

  public synchronized List<String> nodes() {
    return entriesByNode.keySet().stream().sorted().toList();
  }

  public synchronized List<VolumeId> volumesOn(String node) {
    return List.copyOf(entriesOn(node).keySet());
  }

  public synchronized List<VolumeId> attachedVolumes(String node) {
    return entriesOn(node).entrySet().stream()
        .filter(nodeEntry -> nodeEntry.getValue().attachState == AttachState.ATTACHED)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the list for the node's status: device paths by unique name. */
  public synchronized SortedMap<String, String> createStatusList(String node) {
    SortedMap<String, String> statusList = new TreeMap<>();
    entriesOn(node)
        .forEach((id, entry) -> {
          if (entry.mustBeListed) {
            statusList.put(id.text(), entry.devicePath);
          }
        });
    return statusList;
  }

  /**
   * Returns the nodes that may have the volume if there are several and no attach to any of them
   * was confirmed; null otherwise.
   */
  public synchronized @Nullable ContestedNodes findContest(VolumeId id) {
    return findVolume(id).findContest();
  }

  /**
   * Returns the nodes for which a VolumeAttachment of another process is the only evidence that
   * they have the volume, with the number of the last change on each.
   */
  public synchronized Map<String, Long> findAttachmentOnlyNodes(VolumeId id) {
    return findVolume(id).findAttachmentOnlyNodes();
  }

  public synchronized List<VolumeId> findContestedVolumes(String node) {
    return entriesOn(node).entrySet().stream()
        .filter(nodeEntry -> nodeEntry.getValue().isUnconfirmed())
        .map(Map.Entry::getKey)
        .filter(id -> findContest(id) != null || findAttachmentOnlyNodes(id).containsKey(node))
        .toList();
  }

  public synchronized Map<String, Integer> countByPlugin() {
    Map<String, Integer> counts = new HashMap<>();
    volumes.forEach((id, volume) -> {
      if (volume.hasTarget()) {
        counts.merge(id.label(), volume.nodes.size(), Integer::sum);
      }
    });
    return counts;
  }
}
