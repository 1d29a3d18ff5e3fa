package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.ContestedNodes;
import dev.mooring.attachdetach.decide.DetachCheck.PastUser;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.WorldUpdate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The actual state of world and its only writer. All others report {@link WorldUpdate}s, and read.
 * Thread-safe.
 */
public class ActualStateUpdater implements ActualStateOfWorld {
  private final Map<VolumeId, HeldVolume> volumes = new HashMap<>();
  private final Map<String, SortedMap<VolumeId, HeldVolume.Entry>> byNode = new HashMap<>();

  private final Map<String, Set<String>> lastReports = new HashMap<>(); // of deleted Nodes
  private final Map<String, Long> lastWrites = new HashMap<>(); // of nodes with volumes

  private final UnlistedUses unlisted = new UnlistedUses();

  private long changes;

  public ActualStateUpdater() {}

  public synchronized boolean update(WorldUpdate update) {
    switch (update) {
      case WorldUpdate.Attaching(AttachTarget target, String node) -> {
        boolean isNews = markPossible(target.id(), node, target);
        clearFound(target.id(), node);
        needed(target.id(), node);
        return isNews;
      }
      case WorldUpdate.Uncertain(VolumeId id, String node, AttachTarget target) -> {
        return markPossible(id, node, target);
      }
      case WorldUpdate.Found(VolumeId id, String node, AttachTarget target) -> {
        return found(id, node, target);
      }
      case WorldUpdate.Attached attached -> attached(attached);
      case WorldUpdate.NotAttached(VolumeId id, String node) -> detached(id, node);
      case WorldUpdate.Listed(VolumeId id, String node, boolean listed) -> listed(id, node, listed);
      case WorldUpdate.ListWritten(String node, long now) -> listWritten(node, now);
      case WorldUpdate.Needed(VolumeId id, String node) -> needed(id, node);
      case WorldUpdate.Unneeded(VolumeId id, String node, long now) -> unneeded(id, node, now);
      case WorldUpdate.PodLeft(VolumeId id, PodUse use) -> podLeft(id, use);
      case WorldUpdate.Used(VolumeId id, String node, boolean exclusive) ->
          used(id, node, exclusive);
      case WorldUpdate.Shared(AttachTarget target) ->
          Optional.ofNullable(volumes.get(target.id())).ifPresent(volume -> volume.share(target));
      case WorldUpdate.OnlyInUse(VolumeId id, String node) ->
          getOrCreate(id, node, null).onlyInUse = true;
      case WorldUpdate.NotInUse(VolumeId id, String node) -> notInUse(id, node);
      case WorldUpdate.Unused(VolumeId id, String node) -> unlisted.remove(id, node);
      case WorldUpdate.ListSeen(String node, Set<String> names) -> unlisted.listed(node, names);
      case WorldUpdate.AssumedExclusive(VolumeId id) ->
          Optional.ofNullable(volumes.get(id)).ifPresent(HeldVolume::assumeExclusive);
      case WorldUpdate.NodeGone(String node, List<String> inUse) -> nodeGone(node, inUse);
      case WorldUpdate.NodeBack(String node) -> lastReports.remove(node);
    }
    return false;
  }

  public synchronized long change(VolumeId id, String node) {
    HeldVolume.Entry entry = find(id, node);
    return entry == null ? 0 : entry.change;
  }

  public synchronized boolean updateUnlessChanged(
      VolumeId id, String node, long change, WorldUpdate found) {
    boolean same = change(id, node) == change;
    if (same) {
      update(found);
    }
    return same;
  }

  private HeldVolume.Entry getOrCreate(VolumeId id, String node, @Nullable AttachTarget target) {
    HeldVolume.Entry entry = volumes.computeIfAbsent(id, i -> new HeldVolume()).entry(node);
    if (target != null) {
      entry.setTarget(target);
    }
    entry.onlyInUse = false;
    entry.change = ++changes;
    byNode.computeIfAbsent(node, n -> new TreeMap<>()).put(id, entry);
    return entry;
  }

  private void attached(WorldUpdate.Attached update) {
    HeldVolume.Entry entry = getOrCreate(update.volume(), update.node(), update.target());
    entry.held = Held.YES;
    entry.list(true);
    unlisted.remove(update.volume(), update.node());
    entry.devicePath = update.devicePath();
  }

  private boolean markPossible(VolumeId id, String node, @Nullable AttachTarget target) {
    boolean known = held(id, node) != Held.NO;
    getOrCreate(id, node, target).held = Held.PERHAPS;
    return !known;
  }

  private void clearFound(VolumeId id, String node) {
    HeldVolume.Entry entry = find(id, node);
    if (entry != null) {
      entry.found = false;
    }
  }

  private boolean found(VolumeId id, String node, AttachTarget target) {
    HeldVolume.Entry known = find(id, node);
    boolean isNews = known == null || known.onlyInUse;
    if (isNews) {
      getOrCreate(id, node, target).found = true;
    }
    return isNews;
  }

  private void detached(VolumeId id, String node) {
    HeldVolume volume = volumes.get(id);
    if (volume != null) {
      volume.remove(node);
      if (volume.nodes.isEmpty()) {
        volumes.remove(id);
      }
    }
    SortedMap<VolumeId, HeldVolume.Entry> there = byNode.get(node);
    if (there != null) {
      there.remove(id);
      if (there.isEmpty()) {
        byNode.remove(node);
        lastReports.remove(node);
        lastWrites.remove(node);
      }
    }
  }

  private HeldVolume.@Nullable Entry find(VolumeId id, String node) {
    HeldVolume volume = volumes.get(id);
    return volume == null ? null : volume.nodes.get(node);
  }

  @Override
  public synchronized Held held(VolumeId id, String node) {
    HeldVolume.Entry entry = find(id, node);
    return entry == null ? Held.NO : entry.held;
  }

  private void listed(VolumeId id, String node, boolean listed) {
    HeldVolume.Entry entry = find(id, node);
    if (entry != null) {
      entry.list(listed);
    }
    if (listed) {
      unlisted.remove(id, node);
    }
  }

  private void listWritten(String node, long now) {
    if (byNode.containsKey(node)) {
      lastWrites.put(node, now);
    }
  }

  public synchronized OptionalLong lastWriteOfMany(String node) {
    Long last = lastWrites.get(node);
    return last != null
            && byNode.getOrDefault(node, Collections.emptySortedMap()).values().stream()
                .anyMatch(entry -> entry.held == Held.PERHAPS && !entry.reported)
        ? OptionalLong.of(last)
        : OptionalLong.empty();
  }

  private void unneeded(VolumeId id, String node, long now) {
    HeldVolume.Entry entry = find(id, node);
    if (entry != null && entry.unwantedSince == 0) {
      entry.unwantedSince = now == 0 ? 1 : now;
    }
  }

  private void podLeft(VolumeId id, PodUse use) {
    HeldVolume.Entry entry = find(id, use.node());
    if (entry != null) {
      entry.addUser(new PastUser(use.pod(), use.uid()));
    }
  }

  private void used(VolumeId id, String node, boolean exclusive) {
    HeldVolume.Entry entry = find(id, node);
    if (entry != null) {
      entry.setExclusive(exclusive);
    }
  }

  public synchronized List<PastUser> lastUsers(VolumeId id, String node) {
    HeldVolume.Entry entry = find(id, node);
    return entry == null ? List.of() : entry.lastUsers;
  }

  private void nodeGone(String node, List<String> inUse) {
    if (byNode.containsKey(node)) {
      // an earlier Node's report counts until a later Node is ready
      Set<String> all = new HashSet<>(lastReports.getOrDefault(node, Set.of()));
      all.addAll(inUse);
      lastReports.put(node, Set.copyOf(all));
    }
  }

  @Override
  public synchronized boolean wasInUse(VolumeId id, String node) {
    Set<String> last = lastReports.get(node);
    return last == null || last.contains(id.text());
  }

  @Override
  public synchronized boolean usedByEarlierNode(VolumeId id, String node) {
    return lastReports.getOrDefault(node, Set.of()).contains(id.text());
  }

  private void notInUse(VolumeId id, String node) {
    if (find(id, node) == null) {
      unlisted.add(id, node);
    }
  }

  @Override
  public synchronized boolean isNeverListed(VolumeId id, String node) {
    return unlisted.has(id, node);
  }

  private void needed(VolumeId id, String node) {
    HeldVolume.Entry entry = find(id, node);
    if (entry != null) {
      entry.unwantedSince = 0;
    }
  }

  @Override
  public synchronized List<NodeEntry> entries(VolumeId id) {
    HeldVolume volume = volumes.get(id);
    List<NodeEntry> entries = new ArrayList<>();
    if (volume != null) {
      volume.nodes.forEach((node, entry) -> entries.add(toNodeEntry(node, entry)));
    }
    return List.copyOf(entries);
  }

  @Override
  public synchronized @Nullable NodeEntry entry(VolumeId id, String node) {
    HeldVolume.Entry entry = find(id, node);
    return entry == null ? null : toNodeEntry(node, entry);
  }

  private static NodeEntry toNodeEntry(String node, HeldVolume.Entry entry) {
    return new NodeEntry(node, entry.held, entry.reported, entry.onlyInUse, entry.unwantedSince);
  }

  @Override
  public synchronized boolean isExclusive(VolumeId id) {
    HeldVolume volume = volumes.get(id);
    return volume != null && volume.isExclusive();
  }

  @Override
  public synchronized @Nullable AttachTarget target(VolumeId id, String node) {
    HeldVolume.Entry entry = find(id, node);
    return entry == null ? null : entry.target();
  }

  @Override
  public synchronized List<VolumeId> on(String node) {
    SortedMap<VolumeId, HeldVolume.Entry> there = byNode.get(node);
    return there == null ? List.of() : List.copyOf(there.keySet());
  }

  @Override
  public synchronized SortedMap<String, String> reportOf(String node) {
    SortedMap<String, String> report = new TreeMap<>();
    SortedMap<VolumeId, HeldVolume.Entry> there = byNode.get(node);
    if (there != null) {
      there.forEach((id, entry) -> {
        if (entry.reported) {
          report.put(id.text(), entry.devicePath);
        }
      });
    }
    return report;
  }

  public synchronized List<String> nodes() {
    return byNode.keySet().stream().sorted().toList();
  }

  public synchronized List<VolumeId> attachedTo(String node) {
    SortedMap<VolumeId, HeldVolume.Entry> there = byNode.get(node);
    return there == null
        ? List.of()
        : there.entrySet().stream()
            .filter(one -> one.getValue().held == Held.YES)
            .map(Map.Entry::getKey)
            .toList();
  }

  public synchronized List<VolumeId> contestedOn(String node) {
    return byNode.getOrDefault(node, Collections.emptySortedMap()).entrySet().stream()
        .filter(one -> one.getValue().isUnconfirmed())
        .map(Map.Entry::getKey)
        .filter(id -> contest(id) != null || found(id).containsKey(node))
        .toList();
  }

  public synchronized Map<String, Long> found(VolumeId id) {
    HeldVolume volume = volumes.get(id);
    Map<String, Long> found = new LinkedHashMap<>();
    if (volume != null) {
      volume.nodes.forEach((node, entry) -> {
        if (entry.isOnlyFound()) {
          found.put(node, entry.change);
        }
      });
    }
    return found;
  }

  public synchronized @Nullable ContestedNodes contest(VolumeId id) {
    HeldVolume volume = volumes.get(id);
    return volume != null
            && volume.nodes.size() > 1
            && volume.nodes.values().stream().allMatch(HeldVolume.Entry::isUnconfirmed)
        ? new ContestedNodes(
            List.copyOf(volume.nodes.keySet()),
            volume.nodes.values().stream().mapToLong(entry -> entry.change).max().orElse(0))
        : null;
  }

  public synchronized boolean isListed(VolumeId id, String node) {
    HeldVolume.Entry entry = find(id, node);
    return entry != null && entry.reported;
  }

  @Override
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
