package dev.mooring.it.sim;

import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The volumes of a driver. */
final class CsiStorage {
  static final long GIB = 1L << 30;

  /** A volume; its name is "" if it existed before the schedule. */
  static final class Item {
    final String id;
    final String name;
    long bytes;
    Map<String, String> parameters;
    boolean assigned; // to a claim, by an administrator
    final TreeSet<String> nodes = new TreeSet<>();

    Item(String id, String name, long bytes, Map<String, String> parameters) {
      this.id = id;
      this.name = name;
      this.bytes = bytes;
      this.parameters = parameters;
    }

    /** Returns whether no process requested the volume. */
    boolean isForeign() {
      return name.isEmpty();
    }

    @Override
    public String toString() {
      return id + " (" + name + ", " + bytes / GIB + "Gi, on " + nodes + ")";
    }
  }

  final TreeMap<String, Item> items = new TreeMap<>();
  private int made;
  private int destroyed;

  /** Adds a volume that no process requested. */
  void putForeign(String id, long bytes) {
    items.putIfAbsent(id, new Item(id, "", bytes, Map.of()));
  }

  /** Returns the volume with that name, or null. */
  Item named(String name) {
    return items.values().stream().filter(i -> i.name.equals(name)).findFirst().orElse(null);
  }

  Item make(CreateVolume asked, long bytes) {
    Item item = new Item("vol-" + made++, asked.name(), bytes, asked.mutableParameters());
    items.put(item.id, item);
    return item;
  }

  void destroy(String id) {
    if (items.remove(id) != null) {
      destroyed++;
    }
  }

  long made() {
    return made;
  }

  int destroyed() {
    return destroyed;
  }
}
