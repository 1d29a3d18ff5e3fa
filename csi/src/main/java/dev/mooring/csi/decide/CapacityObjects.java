package dev.mooring.csi.decide;

import dev.mooring.csi.decide.TopologyRules.DriverNode;
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

/** Computes the CSIStorageCapacity objects that should exist. */
public final class CapacityObjects {
  public static final String DRIVER_LABEL = "csi.storage.k8s.io/drivername";

  public static final String MANAGED_BY_LABEL = "csi.storage.k8s.io/managed-by";

  // Same value as the sidecar's, so that either takes over the other's objects.
  public static final String MANAGER = "external-provisioner";

  private static final int MAX_LABEL_LENGTH = 63;
  private static final int HASH_AND_DASHES = 10;
  private static final int FNV_BASIS = 0x811c9dc5;
  private static final int FNV_PRIME = 16777619;

  /**
   * Classes and objects that an instance serves.
   *
   * @param manager value of the managed-by label
   * @param namespace namespace of the objects
   * @param immediateToo whether to publish classes with immediate binding too
   */
  public record CapacityScope(
      String driver, String manager, String namespace, boolean immediateToo) {
    public boolean isOurs(StorageCapacity object) {
      return driver.equals(object.meta().labels().get(DRIVER_LABEL))
          && manager.equals(object.meta().labels().get(MANAGED_BY_LABEL));
    }

    public boolean isPublished(StorageClass storageClass) {
      return storageClass.provisioner().equals(driver)
          && (immediateToo
              || storageClass.binding() == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER);
    }

    // Returns a deterministic name, so that replicas do not create duplicates.
    public String objectName(String className, Map<String, String> segment) {
      String identity =
          (manager.equals(MANAGER) ? "" : manager + "\n")
              + driver
              + "\n"
              + className
              + "\n"
              + new TreeMap<>(segment);
      return "csisc-" + UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
    }
  }

  public record CapacityComparison(
      Map<Map<String, String>, StorageCapacity> current,
      List<Map<String, String>> missingSegments,
      List<StorageCapacity> obsolete) {
    public CapacityComparison retainSegments(Set<Map<String, String>> segments) {
      Map<Map<String, String>, StorageCapacity> selected = new LinkedHashMap<>(current);
      selected.keySet().retainAll(segments);
      return new CapacityComparison(Map.copyOf(selected), missingSegments, obsolete);
    }
  }

  public sealed interface CapacityChange {
    // A volume was created or deleted. @param topology label sets of the volume's accessible
    // topology, joined by OR; empty if accessible everywhere
    record OfVolume(List<Map<String, String>> topology) implements CapacityChange {}

    // A volume was refused on the node, for example for lack of capacity.
    record OnNode(String node) implements CapacityChange {}

    record OfClass(String storageClass) implements CapacityChange {}
  }

  private CapacityObjects() {}

  /**
   * Returns the managed-by label of an instance that serves one node. If the name exceeds a label's
   * limit, a hash replaces the part that does not fit.
   */
  public static String managerLabel(String node) {
    String fullName = MANAGER + "-" + node;
    if (fullName.length() <= MAX_LABEL_LENGTH) {
      return fullName;
    }
    int prefixLength = MAX_LABEL_LENGTH - HASH_AND_DASHES - node.length();
    return prefixLength > 0
        ? MANAGER.substring(0, prefixLength) + "-" + hash(MANAGER) + "-" + node
        : MANAGER + "-" + hash(fullName);
  }

  // FNV-1a, as in external-provisioner.
  private static String hash(String text) {
    int hash = FNV_BASIS;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    return HexFormat.of().toHexDigits(hash);
  }

  public static List<Map<String, String>> computeSegments(
      Collection<DriverNode> driverNodes, boolean isConstrained) {
    if (!isConstrained) {
      return List.of(Map.of());
    }
    Set<Map<String, String>> segments = new LinkedHashSet<>();
    for (DriverNode driverNode : driverNodes) {
      driverNode.term().filter(term -> !term.isEmpty()).ifPresent(segments::add);
    }
    return List.copyOf(segments);
  }

  public static CapacityComparison compare(
      List<Map<String, String>> segments, List<StorageCapacity> existing) {
    Map<Map<String, String>, StorageCapacity> current = new LinkedHashMap<>();
    List<StorageCapacity> obsolete = new ArrayList<>();
    Set<Map<String, String>> expected = new HashSet<>(segments);
    for (StorageCapacity object : existing) {
      Optional<Map<String, String>> segment = findSegment(object).filter(expected::contains);
      if (segment.isEmpty() || current.putIfAbsent(segment.get(), object) != null) {
        obsolete.add(object);
      }
    }
    return new CapacityComparison(
        Map.copyOf(current),
        segments.stream().filter(s -> !current.containsKey(s)).toList(),
        List.copyOf(obsolete));
  }

  public static Optional<Set<Map<String, String>>> affectedSegments(
      CapacityChange change, Map<String, DriverNode> driverNodes) {
    return switch (change) {
      case CapacityChange.OfClass _ -> Optional.empty();
      case CapacityChange.OnNode(String node) ->
          Optional.ofNullable(driverNodes.get(node)).flatMap(DriverNode::term).map(Set::of);
      case CapacityChange.OfVolume(List<Map<String, String>> topology) -> {
        if (topology.isEmpty()) {
          yield Optional.empty();
        }
        Set<Map<String, String>> affectedSegments = new HashSet<>();
        for (Map<String, String> segment : computeSegments(driverNodes.values(), true)) {
          if (topology.stream().anyMatch(t -> areCompatible(segment, t))) {
            affectedSegments.add(segment);
          }
        }
        yield Optional.of(Set.copyOf(affectedSegments));
      }
    };
  }

  // A node can match both label sets if no key has two values.
  private static boolean areCompatible(Map<String, String> first, Map<String, String> second) {
    return second.entrySet().stream()
        .allMatch(e -> first.getOrDefault(e.getKey(), e.getValue()).equals(e.getValue()));
  }

  private static Optional<Map<String, String>> findSegment(StorageCapacity object) {
    return Optional.ofNullable(object.nodeTopology())
        .filter(t -> t.matchExpressions().isEmpty())
        .map(LabelSelector::matchLabels);
  }

  public static boolean isUpToDate(StorageCapacity object, long available, long maximum) {
    return Objects.equals(toBytes(object.capacity()), available)
        && Objects.equals(toBytes(object.maximumVolumeSize()), maximum < 0 ? null : (Long) maximum);
  }

  private static @Nullable Long toBytes(@Nullable Quantity quantity) {
    return quantity == null ? null : (Long) quantity.toBytesCeiling();
  }
}
