package dev.mooring.attachdetach.world;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.DetachCheck.User;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which volumes are attached to which nodes, as far as it is known, and what nodes' statuses are to
 * say about it. Thread-safe.
 */
public final class ActualStateOfWorld {
  /**
   * One volume on one node.
   *
   * @param node the node
   * @param held whether it is attached there
   * @param reported whether the node's status is to list it
   * @param unwantedSince since when nobody there needs it, on the monotonic clock; 0 while somebody
   *     does or nobody looked
   */
  public record Place(String node, Held held, boolean reported, long unwantedSince) {}

  /**
   * A volume as it is attached.
   *
   * @param target the volume as it was last attached; null if only a node's status told of it
   * @param places where it is or may be
   */
  public record Attached(@Nullable AttachTarget target, List<Place> places) {}

  private static final class Entry {
    private Held held = Held.PERHAPS;
    private boolean reported;
    private String devicePath = "";
    private long unwantedSince;
    private List<User> lastUsers = List.of();
  }

  private static final class VolumeEntry {
    private @Nullable AttachTarget target;
    private final Map<String, Entry> nodes = new LinkedHashMap<>();
  }

  /** Of the pods that used a volume on a node, how many are remembered: the latest. */
  private static final int MOST_USERS = 32;

  private final Map<VolumeId, VolumeEntry> volumes = new HashMap<>();
  private final Map<String, SortedMap<VolumeId, Entry>> byNode = new HashMap<>();

  private final Map<String, Set<String>> lastReports = new HashMap<>(); // of nodes that are gone
  private final Map<String, Long> lastWrites = new HashMap<>(); // of nodes that have volumes

  /** Nothing is attached. */
  public ActualStateOfWorld() {}

  private Entry entry(VolumeId id, String node, @Nullable AttachTarget target) {
    VolumeEntry volume = volumes.computeIfAbsent(id, i -> new VolumeEntry());
    if (target != null) {
      volume.target = target;
    }
    Entry entry = volume.nodes.computeIfAbsent(node, n -> new Entry());
    byNode.computeIfAbsent(node, n -> new TreeMap<>()).put(id, entry);
    return entry;
  }

  /** It is attached there, and the node's status is to say so. */
  public synchronized void attached(
      VolumeId id, String node, String devicePath, @Nullable AttachTarget target) {
    Entry entry = entry(id, node, target);
    entry.held = Held.YES;
    entry.reported = true;
    entry.devicePath = devicePath;
  }

  /**
   * It may be attached there from now on.
   *
   * @return whether that is news: nothing was known of it on that node
   */
  public synchronized boolean perhaps(VolumeId id, String node, @Nullable AttachTarget target) {
    boolean known = held(id, node) != Held.NO;
    entry(id, node, target).held = Held.PERHAPS;
    return !known;
  }

  /** It is not attached there. */
  public synchronized void detached(VolumeId id, String node) {
    VolumeEntry volume = volumes.get(id);
    if (volume != null) {
      volume.nodes.remove(node);
      if (volume.nodes.isEmpty()) {
        volumes.remove(id);
      }
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

  private @Nullable Entry find(VolumeId id, String node) {
    VolumeEntry volume = volumes.get(id);
    return volume == null ? null : volume.nodes.get(node);
  }

  /** Whether it is attached there. */
  public synchronized Held held(VolumeId id, String node) {
    Entry entry = find(id, node);
    return entry == null ? Held.NO : entry.held;
  }

  /** The node's status is to list it, or not to; nothing if it is not there. */
  public synchronized void report(VolumeId id, String node, boolean listed) {
    Entry entry = find(id, node);
    if (entry != null) {
      entry.reported = listed;
    }
  }

  /** The node's list is being written, now on the monotonic clock. */
  public synchronized void writing(String node, long now) {
    if (byNode.containsKey(node)) {
      lastWrites.put(node, now);
    }
  }

  /**
   * When the node's list was written last, if it has to be written again soon: more volumes may
   * soon be attached there.
   */
  public synchronized OptionalLong lastWriteOfMany(String node) {
    Long last = lastWrites.get(node);
    return last != null
            && byNode.getOrDefault(node, Collections.emptySortedMap()).values().stream()
                .anyMatch(entry -> entry.held == Held.PERHAPS && !entry.reported)
        ? OptionalLong.of(last)
        : OptionalLong.empty();
  }

  /** Nobody there needs it any more; the first time counts. */
  public synchronized void unwanted(VolumeId id, String node, long now) {
    Entry entry = find(id, node);
    if (entry != null && entry.unwantedSince == 0) {
      entry.unwantedSince = now == 0 ? 1 : now;
    }
  }

  /** A pod there is known to need it no more: it ended, or is gone from the caches. */
  public synchronized void left(VolumeId id, PodUse use) {
    Entry entry = find(id, use.node());
    if (entry != null) {
      User user = new User(use.pod(), use.uid());
      List<User> users = new ArrayList<>(entry.lastUsers);
      users.remove(user);
      users.add(user);
      entry.lastUsers =
          List.copyOf(users.subList(Math.max(0, users.size() - MOST_USERS), users.size()));
    }
  }

  /** The pods that needed it there last. */
  public synchronized List<User> lastUsers(VolumeId id, String node) {
    Entry entry = find(id, node);
    return entry == null ? List.of() : entry.lastUsers;
  }

  /** The node is gone; it said last that it uses these volumes. */
  public synchronized void nodeGone(String node, List<String> inUse) {
    if (byNode.containsKey(node)) {
      lastReports.put(node, Set.copyOf(inUse));
    }
  }

  /** There is a node of that name (again), which speaks for itself. */
  public synchronized void nodeBack(String node) {
    lastReports.remove(node);
  }

  /** Whether a node that is gone used the volume: yes, if nobody heard what it said last. */
  public synchronized boolean wasInUse(VolumeId id, String node) {
    Set<String> last = lastReports.get(node);
    return last == null || last.contains(id.text());
  }

  /** Somebody there needs it. */
  public synchronized void wanted(VolumeId id, String node) {
    Entry entry = find(id, node);
    if (entry != null) {
      entry.unwantedSince = 0;
    }
  }

  /** The volume as it is attached. */
  public synchronized Attached volume(VolumeId id) {
    VolumeEntry volume = volumes.get(id);
    if (volume == null) {
      return new Attached(null, List.of());
    }
    List<Place> places = new ArrayList<>(volume.nodes.size());
    volume.nodes.forEach((node, entry) -> places.add(place(node, entry)));
    return new Attached(volume.target, List.copyOf(places));
  }

  /** The volume as it is or may be on that node; null if it is not. */
  public synchronized @Nullable Place place(VolumeId id, String node) {
    Entry entry = find(id, node);
    return entry == null ? null : place(node, entry);
  }

  private static Place place(String node, Entry entry) {
    return new Place(node, entry.held, entry.reported, entry.unwantedSince);
  }

  /** The volume as it was last attached; null if it is nowhere, or only a status told of it. */
  public synchronized @Nullable AttachTarget target(VolumeId id) {
    VolumeEntry volume = volumes.get(id);
    return volume == null ? null : volume.target;
  }

  /** The volumes that are or may be attached to the node. */
  public synchronized List<VolumeId> on(String node) {
    SortedMap<VolumeId, Entry> there = byNode.get(node);
    return there == null ? List.of() : List.copyOf(there.keySet());
  }

  /** What the node's status is to list: unique names in order, with device paths. */
  public synchronized SortedMap<String, String> reportOf(String node) {
    SortedMap<String, String> report = new TreeMap<>();
    SortedMap<VolumeId, Entry> there = byNode.get(node);
    if (there != null) {
      there.forEach((id, entry) -> {
        if (entry.reported) {
          report.put(id.text(), entry.devicePath);
        }
      });
    }
    return report;
  }

  /** The nodes to which something is or may be attached, in order. */
  public synchronized List<String> nodes() {
    return byNode.keySet().stream().sorted().toList();
  }

  /** The volumes that are certainly attached to the node. */
  public synchronized List<VolumeId> attachedTo(String node) {
    SortedMap<VolumeId, Entry> there = byNode.get(node);
    return there == null
        ? List.of()
        : there.entrySet().stream()
            .filter(one -> one.getValue().held == Held.YES)
            .map(Map.Entry::getKey)
            .toList();
  }

  /** How many pairs of volume and node there are, by metrics label; those without target not. */
  public synchronized Map<String, Integer> counts() {
    Map<String, Integer> counts = new HashMap<>();
    volumes.forEach((id, volume) -> {
      if (volume.target != null) {
        counts.merge(id.label(), volume.nodes.size(), Integer::sum);
      }
    });
    return counts;
  }
}
