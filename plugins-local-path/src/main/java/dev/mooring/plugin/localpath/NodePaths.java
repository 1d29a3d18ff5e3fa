package dev.mooring.plugin.localpath;

import dev.mooring.model.Quantity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

sealed interface NodePaths {
  String OTHER_NODES = "DEFAULT_PATH_FOR_NON_LISTED_NODES";

  /** Directory with the same contents on all nodes. */
  record Shared(BasePath path) implements NodePaths {}

  /**
   * Separate directories of each node.
   *
   * @param pathsByNode paths by node name; a node without paths takes no volumes
   * @param maxCapacities maximum total size of the volumes in a path, by node name
   */
  record PerNode(
      Map<String, List<BasePath>> pathsByNode, Map<String, Map<BasePath, Quantity>> maxCapacities)
      implements NodePaths {
    public PerNode {
      pathsByNode = Map.copyOf(pathsByNode);
      maxCapacities = Map.copyOf(maxCapacities);
    }

    private String entryKey(String node) {
      return pathsByNode.containsKey(node) ? node : OTHER_NODES;
    }
  }

  default List<BasePath> pathsOf(String node) {
    return switch (this) {
      case Shared(BasePath path) -> List.of(path);
      case PerNode perNode -> perNode.pathsByNode.getOrDefault(perNode.entryKey(node), List.of());
    };
  }

  default Optional<Quantity> maxCapacity(String node, BasePath base) {
    return switch (this) {
      case Shared _ -> Optional.empty();
      case PerNode perNode ->
          Optional.ofNullable(
              perNode.maxCapacities.getOrDefault(perNode.entryKey(node), Map.of()).get(base));
    };
  }

  default boolean hasMaxCapacity() {
    return this instanceof PerNode perNode && !perNode.maxCapacities.isEmpty();
  }

  /**
   * Returns the paths of a node for a new volume, best first: only {@code requestedPath} if set,
   * otherwise all, starting at one chosen by the volume's name, so that every retry starts at the
   * same path.
   *
   * @param requestedPath path from the StorageClass, "" for any
   */
  default List<BasePath> choose(String node, String requestedPath, String volumeName)
      throws InvalidInputException {
    List<BasePath> paths = List.copyOf(new TreeSet<>(pathsOf(node)));
    if (paths.isEmpty()) {
      throw new InvalidInputException(
          "node %s has no paths for volumes: add it, or %s, to nodePathMap"
              .formatted(node, OTHER_NODES));
    }
    if (requestedPath.isEmpty()) {
      List<BasePath> sorted = new ArrayList<>(paths);
      Collections.rotate(sorted, -Math.floorMod(volumeName.hashCode(), paths.size()));
      return sorted;
    }
    BasePath requestedBase = BasePath.of(requestedPath);
    if (this instanceof PerNode && !paths.contains(requestedBase)) {
      throw new InvalidInputException(
          "nodePath \"" + requestedPath + "\" is none of the paths " + paths + " of " + node);
    }
    return List.of(this instanceof Shared(BasePath shared) ? shared : requestedBase);
  }

  default List<BasePath> basePaths() {
    return switch (this) {
      case Shared(BasePath path) -> List.of(path);
      case PerNode perNode ->
          new TreeMap<>(perNode.pathsByNode)
              .values().stream().flatMap(List::stream).distinct().toList();
    };
  }
}
