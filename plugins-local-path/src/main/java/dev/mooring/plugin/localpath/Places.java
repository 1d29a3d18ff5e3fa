package dev.mooring.plugin.localpath;

import dev.mooring.model.Quantity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
   * @param most how much the volumes in a path may have together, by the node's name
   */
  record PerNode(Map<String, List<BasePath>> nodes, Map<String, Map<BasePath, Quantity>> most)
      implements Places {
    public PerNode {
      nodes = Map.copyOf(nodes);
      most = Map.copyOf(most);
    }

    /** The node's entry, or that of those that have none. */
    private String entry(String node) {
      return nodes.containsKey(node) ? node : OTHER_NODES;
    }
  }

  /** The directories of a node; of all nodes that is the same one if it is shared. */
  default List<BasePath> of(String node) {
    return switch (this) {
      case Shared(BasePath path) -> List.of(path);
      case PerNode each -> each.nodes.getOrDefault(each.entry(node), List.of());
    };
  }

  /** How much the volumes in that path of a node may have together; empty if nobody counts. */
  default Optional<Quantity> most(String node, BasePath base) {
    return switch (this) {
      case Shared _ -> Optional.empty();
      case PerNode each ->
          Optional.ofNullable(each.most.getOrDefault(each.entry(node), Map.of()).get(base));
    };
  }

  /** Whether anybody counts. */
  default boolean counts() {
    return this instanceof PerNode each && !each.most.isEmpty();
  }

  /**
   * The directories of that node for a new volume, the best first: the one that its class asks for
   * alone, else all, beginning with one by the volume's name, so that it is the same at every try.
   *
   * @param asked what the class asks for, "" for any
   */
  default List<BasePath> choose(String node, String asked, String volumeName) throws Refused {
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
      List<BasePath> sorted = new ArrayList<>(all);
      Collections.rotate(sorted, -Math.floorMod(volumeName.hashCode(), all.size()));
      return sorted;
    }
    BasePath wanted = BasePath.of(asked);
    if (this instanceof PerNode && !all.contains(wanted)) {
      throw new Refused("nodePath \"" + asked + "\" is none of the paths " + all + " of " + node);
    }
    return List.of(this instanceof Shared(BasePath shared) ? shared : wanted);
  }

  /** All directories of all nodes. */
  default List<BasePath> all() {
    return switch (this) {
      case Shared(BasePath path) -> List.of(path);
      case PerNode each ->
          new TreeMap<>(each.nodes).values().stream().flatMap(List::stream).distinct().toList();
    };
  }
}
