package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.ContestedNodes;
import dev.mooring.attachdetach.decide.DetachCheck.PastUser;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A volume and the nodes that have or may have it. The caller synchronizes. */
final class AttachedVolume {
  // number of the latest pods per node that are remembered
  private static final int MAX_USERS = 32;

  final Map<String, Entry> nodes = new LinkedHashMap<>();
  private int exclusiveCount; // of entries

  final class Entry {
    AttachState attachState = AttachState.UNCERTAIN;
    boolean mustBeListed;
    String devicePath = "";
    long unneededSince;
    List<PastUser> lastUsers = List.of();
    boolean onlyAttachment; // known only from its VolumeAttachment
    boolean onlyInUse; // known only from the node's list of volumes in use
    boolean
        hasEndedUse; // onlyInUse, and the node's report ended before the node's status listed it
    long change; // number of the last change
    private boolean wasListed; // whether the node's status has ever listed it
    private @Nullable AttachTarget target;
    private boolean isExclusive;

    @Nullable AttachTarget target() {
      return target;
    }

    void setTarget(AttachTarget newTarget) {
      target = newTarget;
      setExclusive(newTarget.exclusive());
    }

    void setExclusive(boolean isNowExclusive) {
      if (isNowExclusive != isExclusive) {
        exclusiveCount += isNowExclusive ? 1 : -1;
        isExclusive = isNowExclusive;
      }
    }

    void setListed(boolean isListed) {
      mustBeListed = isListed;
      wasListed |= isListed;
      onlyInUse &= !isListed;
      hasEndedUse &= !isListed;
    }

    // Records that at most the node's report shows the volume; returns whether that is new.
    boolean setUntraced() {
      boolean isNew =
          attachState == AttachState.UNCERTAIN && !mustBeListed && unneededSince != 0 && !onlyInUse;
      onlyInUse |= isNew;
      return isNew;
    }

    void setUnneeded(long now) {
      if (unneededSince == 0) {
        unneededSince = now == 0 ? 1 : now;
      }
    }

    NodeEntry createNodeEntry(String node) {
      return new NodeEntry(node, attachState, mustBeListed, onlyInUse, unneededSince);
    }

    boolean isPendingAttach() {
      return attachState == AttachState.UNCERTAIN && !mustBeListed;
    }

    boolean isUnconfirmed() {
      return attachState == AttachState.UNCERTAIN && !wasListed;
    }

    void addUser(PastUser user) {
      List<PastUser> users = new ArrayList<>(lastUsers);
      users.remove(user);
      users.add(user);
      lastUsers = List.copyOf(users.subList(Math.max(0, users.size() - MAX_USERS), users.size()));
    }
  }

  Entry getOrCreateEntry(String node) {
    return nodes.computeIfAbsent(node, n -> new Entry());
  }

  void remove(String node) {
    Entry removed = nodes.remove(node);
    if (removed != null) {
      removed.setExclusive(false);
    }
  }

  boolean isExclusive() {
    return exclusiveCount > 0;
  }

  boolean hasTarget() {
    return nodes.values().stream().anyMatch(entry -> entry.target != null);
  }

  List<NodeEntry> entries() {
    List<NodeEntry> entries = new ArrayList<>(nodes.size());
    nodes.forEach((node, entry) -> entries.add(entry.createNodeEntry(node)));
    return List.copyOf(entries);
  }

  @Nullable ContestedNodes findContest() {
    return nodes.size() > 1 && nodes.values().stream().allMatch(Entry::isUnconfirmed)
        ? new ContestedNodes(
            List.copyOf(nodes.keySet()),
            nodes.values().stream().mapToLong(entry -> entry.change).max().orElse(0))
        : null;
  }

  Map<String, Long> findAttachmentOnlyNodes() {
    Map<String, Long> changesByNode = new LinkedHashMap<>();
    nodes.forEach((node, entry) -> {
      if (entry.onlyAttachment && entry.isUnconfirmed()) {
        changesByNode.put(node, entry.change);
      }
    });
    return changesByNode;
  }

  // Applies that the PersistentVolume now allows many nodes. Pods that use it otherwise report that
  // separately.
  void setShared(AttachTarget newTarget) {
    if (!isExclusive()) {
      return;
    }
    for (Entry entry : nodes.values()) {
      AttachTarget oldTarget = entry.target;
      if (oldTarget != null && oldTarget.persistentVolume().equals(newTarget.persistentVolume())) {
        entry.setTarget(newTarget);
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
