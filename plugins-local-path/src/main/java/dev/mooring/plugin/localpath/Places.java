package dev.mooring.plugin.localpath;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Where volumes may be. */
sealed interface Places {
  /** In {@code config.json}: the entry of nodes that have none of their own. */
  String OTHER_NODES = "DEFAULT_PATH_FOR_NON_LISTED_NODES";

  /** One directory that is the same on all nodes. */
  record Shared(BasePath path) implements Places {}

  /**
   * Directories of each node by itself.
   *
   * @param nodes the paths by the node's name; a node without any takes no volumes
   */
  record PerNode(Map<String, List<BasePath>> nodes) implements Places {
    public PerNode {
      nodes = Map.copyOf(nodes);
    }
  }

  /** The directories of a node; of all nodes that is the same one if it is shared. */
  default List<BasePath> of(String node) {
    return switch (this) {
      case Shared(BasePath path) -> List.of(path);
      case PerNode(Map<String, List<BasePath>> nodes) ->
          nodes.getOrDefault(node, nodes.getOrDefault(OTHER_NODES, List.of()));
    };
  }

  /**
   * The directory of that node for a new volume: the one that its class asks for, else one by the
   * volume's name, so that it is the same at every try.
   *
   * @param asked what the class asks for, "" for any
   */
  default BasePath choose(String node, String asked, String volumeName) throws Refused {
    List<BasePath> all = List.copyOf(new TreeSet<>(of(node)));
    if (all.isEmpty()) {
      throw new Refused(
          "node "
              + node
              + " has no paths for volumes: add it, or "
              + OTHER_NODES
              + ", to nodePathMap");
    }
    if (asked.isEmpty()) {
      return all.get(Math.floorMod(volumeName.hashCode(), all.size()));
    }
    BasePath wanted = BasePath.of(asked);
    if (this instanceof PerNode && !all.contains(wanted)) {
      throw new Refused("nodePath \"" + asked + "\" is none of the paths " + all + " of " + node);
    }
    return this instanceof Shared(BasePath shared) ? shared : wanted;
  }

  /** All directories of all nodes. */
  default List<BasePath> all() {
    return switch (this) {
      case Shared(BasePath path) -> List.of(path);
      case PerNode(Map<String, List<BasePath>> nodes) ->
          new TreeMap<>(nodes).values().stream().flatMap(List::stream).distinct().toList();
    };
  }
}
