package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.ContestedNodes;
import dev.mooring.attachdetach.decide.DetachCheck.PastUser;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.state.ActualStateOfWorld.NodeEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A volume and the nodes that have or may have it. The caller synchronizes. */
final class HeldVolume {
  // number of the latest pods per node that are remembered
  private static final int MAX_USERS = 32;

  final Map<String, Entry> nodes = new LinkedHashMap<>();
  private int exclusive; // exclusive entries

  final class Entry {
    Held held = Held.PERHAPS;
    boolean reported;
    String devicePath = "";
    long unwantedSince;
    List<PastUser> lastUsers = List.of();
    boolean found; // known only from its VolumeAttachment
    boolean onlyInUse; // known only from the node's list of volumes in use
    long change; // number of the last change
    private boolean wasListed; // whether the node's status has ever listed it
    private @Nullable AttachTarget target;
    private boolean isExclusive;

    @Nullable AttachTarget target() {
      return target;
    }

    void setTarget(AttachTarget now) {
      target = now;
      setExclusive(now.exclusive());
    }

    void setExclusive(boolean now) {
      if (now != isExclusive) {
        exclusive += now ? 1 : -1;
        isExclusive = now;
      }
    }

    void list(boolean listed) {
      reported = listed;
      wasListed |= listed;
      onlyInUse &= !listed;
    }

    // Returns whether it is news that only the node's report may show the volume.
    boolean setUntraced() {
      boolean isNews = held == Held.PERHAPS && !reported && unwantedSince != 0 && !onlyInUse;
      onlyInUse |= isNews;
      return isNews;
    }

    void setUnneeded(long now) {
      if (unwantedSince == 0) {
        unwantedSince = now == 0 ? 1 : now;
      }
    }

    NodeEntry on(String node) {
      return new NodeEntry(node, held, reported, onlyInUse, unwantedSince);
    }

    boolean isUnconfirmed() {
      return held == Held.PERHAPS && !wasListed;
    }

    void addUser(PastUser user) {
      List<PastUser> users = new ArrayList<>(lastUsers);
      users.remove(user);
      users.add(user);
      lastUsers = List.copyOf(users.subList(Math.max(0, users.size() - MAX_USERS), users.size()));
    }
  }

  Entry entry(String node) {
    return nodes.computeIfAbsent(node, n -> new Entry());
  }

  void remove(String node) {
    Entry gone = nodes.remove(node);
    if (gone != null) {
      gone.setExclusive(false);
    }
  }

  boolean isExclusive() {
    return exclusive > 0;
  }

  boolean hasTarget() {
    return nodes.values().stream().anyMatch(entry -> entry.target != null);
  }

  List<NodeEntry> entries() {
    List<NodeEntry> entries = new ArrayList<>(nodes.size());
    nodes.forEach((node, entry) -> entries.add(entry.on(node)));
    return List.copyOf(entries);
  }

  @Nullable ContestedNodes contest() {
    return nodes.size() > 1 && nodes.values().stream().allMatch(Entry::isUnconfirmed)
        ? new ContestedNodes(
            List.copyOf(nodes.keySet()),
            nodes.values().stream().mapToLong(entry -> entry.change).max().orElse(0))
        : null;
  }

  Map<String, Long> found() {
    Map<String, Long> found = new LinkedHashMap<>();
    nodes.forEach((node, entry) -> {
      if (entry.found && entry.isUnconfirmed()) {
        found.put(node, entry.change);
      }
    });
    return found;
  }

  // Applies that the PersistentVolume now allows many nodes. Pods that use it otherwise report that
  // separately.
  void share(AttachTarget now) {
    if (!isExclusive()) {
      return;
    }
    for (Entry entry : nodes.values()) {
      AttachTarget before = entry.target;
      if (before != null && before.persistentVolume().equals(now.persistentVolume())) {
        entry.setTarget(now);
      }
    }
  }

  // marks attachments known only from a node's status as exclusive
  void assumeExclusive() {
    nodes.values().stream()
        .filter(entry -> entry.target == null)
        .forEach(entry -> entry.setExclusive(true));
  }
}
