package dev.mooring.it.sim;

import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.VolumeProblem;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Volumes of the CSI driver, both provisioned and of other origin. */
final class CsiDriverStorage {
  static final long GIB = 1L << 30;

  /** A volume; its name is "" if no request of ours created it. */
  static final class StoredVolume {
    final String id;
    final String name;
    long bytes;
    Map<String, String> parameters;
    boolean assigned; // an administrator assigned it to a claim
    List<VolumeProblem> problems = List.of();
    final TreeSet<String> nodes = new TreeSet<>();

    StoredVolume(String id, String name, long bytes, Map<String, String> parameters) {
      this.id = id;
      this.name = name;
      this.bytes = bytes;
      this.parameters = parameters;
    }

    /** Returns whether no request of ours created the volume. */
    boolean isForeign() {
      return name.isEmpty();
    }

    @Override
    public String toString() {
      return id + " (" + name + ", " + bytes / GIB + "Gi, on " + nodes + ")";
    }
  }

  final TreeMap<String, StoredVolume> items = new TreeMap<>();
  private int created;
  private int destroyed;

  /** Adds a volume that no request of ours created. */
  void addForeign(String id, long bytes) {
    items.putIfAbsent(id, new StoredVolume(id, "", bytes, Map.of()));
  }

  /** Returns the volume of that name; null if it does not exist. */
  StoredVolume findByName(String name) {
    return items.values().stream().filter(i -> i.name.equals(name)).findFirst().orElse(null);
  }

  StoredVolume create(CreateVolume request, long bytes) {
    StoredVolume item =
        new StoredVolume("vol-" + created++, request.name(), bytes, request.mutableParameters());
    items.put(item.id, item);
    return item;
  }

  void destroy(String id) {
    if (items.remove(id) != null) {
      destroyed++;
    }
  }

  long createdCount() {
    return created;
  }

  int destroyedCount() {
    return destroyed;
  }
}
