package dev.mooring.csi.decide;

import dev.mooring.csi.decide.Topologies.Place;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which CSIStorageCapacity objects there should be (spec/csi-bridge.md 9). */
public final class Capacities {
  /** On an object: whose driver's capacity it is. */
  public static final String DRIVER_LABEL = "csi.storage.k8s.io/drivername";

  /** On an object: who keeps it. */
  public static final String MANAGER_LABEL = "csi.storage.k8s.io/managed-by";

  /** What keeps them, here as in a sidecar: one takes over from the other. */
  public static final String MANAGER = "external-provisioner";

  private static final int LONGEST_LABEL = 63;
  private static final int HASH_AND_DASHES = 10;
  private static final int FNV_BASIS = 0x811c9dc5;
  private static final int FNV_PRIME = 16777619;

  /**
   * Where a class's objects stand.
   *
   * @param kept the object of each place that has one
   * @param missing places without one
   * @param obsolete objects of no place, or of a place that has another
   */
  public record Standing(
      Map<Map<String, String>, StorageCapacity> kept,
      List<Map<String, String>> missing,
      List<StorageCapacity> obsolete) {
    /** The same, but of the objects that there are only those of these places. */
    public Standing at(Set<Map<String, String>> places) {
      Map<Map<String, String>, StorageCapacity> some = new LinkedHashMap<>(kept);
      some.keySet().retainAll(places);
      return new Standing(Map.copyOf(some), missing, obsolete);
    }
  }

  /** What has changed how much room there is. */
  public sealed interface Change {
    /**
     * A volume that is reachable from there was made or destroyed.
     *
     * @param topology sets of node labels, each of them enough; none for everywhere
     */
    record Of(List<Map<String, String>> topology) implements Change {}

    /** A volume was refused for want of room on that node, or of something else. */
    record OnNode(String node) implements Change {}

    /** A volume of that class was refused. */
    record OfClass(String storageClass) implements Change {}
  }

  private Capacities() {}

  /**
   * What keeps the objects where each node has an instance of its own: with the node's name, or, if
   * that makes it too long for a label, with a hash for as much of the rest as has to go.
   */
  public static String managerOn(String node) {
    String whole = MANAGER + "-" + node;
    if (whole.length() <= LONGEST_LABEL) {
      return whole;
    }
    int left = LONGEST_LABEL - HASH_AND_DASHES - node.length();
    return left > 0
        ? MANAGER.substring(0, left) + "-" + hash(MANAGER) + "-" + node
        : MANAGER + "-" + hash(whole);
  }

  /** FNV-1a, as the sidecar has it. */
  private static String hash(String text) {
    int hash = FNV_BASIS;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    return HexFormat.of().toHexDigits(hash);
  }

  /** Whether an object is one that this manager keeps for the driver. */
  public static boolean isOurs(StorageCapacity object, String driver, String manager) {
    return driver.equals(object.meta().labels().get(DRIVER_LABEL))
        && manager.equals(object.meta().labels().get(MANAGER_LABEL));
  }

  /** Whether a class's capacity is published at all. */
  public static boolean isPublished(
      StorageClass storageClass, String driver, boolean immediateToo) {
    return storageClass.provisioner().equals(driver)
        && (immediateToo || storageClass.binding() == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER);
  }

  /**
   * The places that a driver tells apart: one, with no segments, if it tells none apart.
   *
   * @param constrained whether it has places at all
   */
  public static List<Map<String, String>> segments(Collection<Place> places, boolean constrained) {
    if (!constrained) {
      return List.of(Map.of());
    }
    Set<Map<String, String>> all = new LinkedHashSet<>();
    for (Place place : places) {
      place.term().filter(term -> !term.isEmpty()).ifPresent(all::add);
    }
    return List.copyOf(all);
  }

  /** Compares a class's places with the objects that there are of it. */
  public static Standing compare(
      List<Map<String, String>> segments, List<StorageCapacity> existing) {
    Map<Map<String, String>, StorageCapacity> kept = new LinkedHashMap<>();
    List<StorageCapacity> obsolete = new ArrayList<>();
    Set<Map<String, String>> wanted = new HashSet<>(segments);
    for (StorageCapacity object : existing) {
      Optional<Map<String, String>> segment = segmentOf(object).filter(wanted::contains);
      if (segment.isEmpty() || kept.putIfAbsent(segment.get(), object) != null) {
        obsolete.add(object);
      }
    }
    return new Standing(
        Map.copyOf(kept),
        segments.stream().filter(s -> !kept.containsKey(s)).toList(),
        List.copyOf(obsolete));
  }

  /**
   * The places where there may be more or less room than before.
   *
   * @param places the nodes on which the driver runs, by name
   * @return empty if that may be anywhere
   */
  public static Optional<Set<Map<String, String>>> touched(
      Change change, Map<String, Place> places) {
    return switch (change) {
      case Change.OfClass _ -> Optional.empty();
      case Change.OnNode(String node) ->
          Optional.ofNullable(places.get(node)).flatMap(Place::term).map(Set::of);
      case Change.Of(List<Map<String, String>> topology) -> {
        if (topology.isEmpty()) {
          yield Optional.empty();
        }
        Set<Map<String, String>> touched = new HashSet<>();
        for (Map<String, String> segment : segments(places.values(), true)) {
          if (topology.stream().anyMatch(t -> overlap(segment, t))) {
            touched.add(segment);
          }
        }
        yield Optional.of(Set.copyOf(touched));
      }
    };
  }

  /** Whether a node can be in both. */
  private static boolean overlap(Map<String, String> one, Map<String, String> other) {
    return other.entrySet().stream()
        .allMatch(e -> one.getOrDefault(e.getKey(), e.getValue()).equals(e.getValue()));
  }

  private static Optional<Map<String, String>> segmentOf(StorageCapacity object) {
    return Optional.ofNullable(object.nodeTopology())
        .filter(t -> t.matchExpressions().isEmpty())
        .map(LabelSelector::matchLabels);
  }

  /** Whether the object says that already; -1 for a maximum that is not known. */
  public static boolean says(StorageCapacity object, long available, long maximum) {
    return Objects.equals(bytes(object.capacity()), available)
        && Objects.equals(bytes(object.maximumVolumeSize()), maximum < 0 ? null : (Long) maximum);
  }

  private static @Nullable Long bytes(@Nullable Quantity quantity) {
    return quantity == null ? null : (Long) quantity.toBytesCeiling();
  }

  /** The name of a new object: the same for the same manager, place and class. */
  public static String nameFor(
      String manager, String driver, String className, Map<String, String> segment) {
    String what =
        (manager.equals(MANAGER) ? "" : manager + "\n")
            + driver
            + "\n"
            + className
            + "\n"
            + new TreeMap<>(segment);
    return "csisc-" + UUID.nameUUIDFromBytes(what.getBytes(StandardCharsets.UTF_8));
  }
}
