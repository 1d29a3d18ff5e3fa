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
   * @param nodes paths by node name; a node without paths takes no volumes
   * @param most maximum total size of the volumes in a path, by node name
   */
  record PerNode(Map<String, List<BasePath>> nodes, Map<String, Map<BasePath, Quantity>> most)
      implements NodePaths {
    public PerNode {
      nodes = Map.copyOf(nodes);
      most = Map.copyOf(most);
    }

    private String entry(String node) {
      return nodes.containsKey(node) ? node : OTHER_NODES;
    }
  }

  default List<BasePath> of(String node) {
    return switch (this) {
      case Shared(BasePath path) -> List.of(path);
      case PerNode each -> each.nodes.getOrDefault(each.entry(node), List.of());
    };
  }

  default Optional<Quantity> most(String node, BasePath base) {
    return switch (this) {
      case Shared _ -> Optional.empty();
      case PerNode each ->
          Optional.ofNullable(each.most.getOrDefault(each.entry(node), Map.of()).get(base));
    };
  }

  default boolean counts() {
    return this instanceof PerNode each && !each.most.isEmpty();
  }

  /**
   * Returns the paths of a node for a new volume, best first: only {@code asked} if set, otherwise
   * all, starting at one chosen by the volume's name, so that every retry starts at the same path.
   *
   * @param asked path from the StorageClass, "" for any
   */
  default List<BasePath> choose(String node, String asked, String volumeName)
      throws InvalidInputException {
    List<BasePath> all = List.copyOf(new TreeSet<>(of(node)));
    if (all.isEmpty()) {
      throw new InvalidInputException(
          "node %s has no paths for volumes: add it, or %s, to nodePathMap"
              .formatted(node, OTHER_NODES));
    }
    if (asked.isEmpty()) {
      List<BasePath> sorted = new ArrayList<>(all);
      Collections.rotate(sorted, -Math.floorMod(volumeName.hashCode(), all.size()));
      return sorted;
    }
    BasePath wanted = BasePath.of(asked);
    if (this instanceof PerNode && !all.contains(wanted)) {
      throw new InvalidInputException(
          "nodePath \"" + asked + "\" is none of the paths " + all + " of " + node);
    }
    return List.of(this instanceof Shared(BasePath shared) ? shared : wanted);
  }

  default List<BasePath> all() {
    return switch (this) {
      case Shared(BasePath path) -> List.of(path);
      case PerNode each ->
          new TreeMap<>(each.nodes).values().stream().flatMap(List::stream).distinct().toList();
    };
  }
}
