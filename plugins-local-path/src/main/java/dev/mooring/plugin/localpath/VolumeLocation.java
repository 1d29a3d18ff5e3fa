package dev.mooring.plugin.localpath;

import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import java.util.List;
import java.util.Optional;

sealed interface VolumeLocation {
  record OnNode(Node node) implements VolumeLocation {}

  record NodeMissing(String node) implements VolumeLocation {}

  record NeedsAllNodes() implements VolumeLocation {}

  record Unclear(String reason) implements VolumeLocation {}

  static Optional<String> findNodeName(NodeAffinity affinity, String annotation) {
    if (!annotation.isEmpty()) {
      return Optional.of(annotation);
    }
    List<String> values =
        affinity.terms().stream()
            .flatMap(term -> term.expressions().stream())
            .filter(requirement -> requirement.operator().equals("In"))
            .map(Requirement::values)
            .flatMap(List::stream)
            .distinct()
            .toList();
    return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
  }

  /**
   * Decides by the labels in the volume's node affinity, because the scheduler uses them. A node's
   * name alone proves little: a machine may have registered under another name.
   *
   * @param name name of the node that was read
   * @param namedNode the node, if it exists
   * @param nodes all nodes, if they were listed
   */
  static VolumeLocation of(
      NodeAffinity affinity, String name, Optional<Node> namedNode, Optional<List<Node>> nodes) {
    if (affinity.terms().isEmpty()) {
      return new Unclear("the volume does not name the node that it is bound to");
    }
    if (namedNode.filter(affinity::admits).isPresent()) {
      return new OnNode(namedNode.get());
    }
    if (nodes.isEmpty()) {
      return new NeedsAllNodes();
    }
    List<Node> matches = nodes.get().stream().filter(affinity::admits).toList();
    return switch (matches.size()) {
      case 0 ->
          namedNode.isPresent()
              ? new Unclear(
                  "the volume is bound to %s, which matches no node, and node %s exists: correct the node's labels"
                      .formatted(affinity, name))
              : new NodeMissing(name);
      case 1 ->
          namedNode.isPresent()
              ? new Unclear(
                  "the volume was created on node %s and is bound to %s"
                      .formatted(name, matches.getFirst().meta().name()))
              : new OnNode(matches.getFirst());
      default ->
          new Unclear("the volume is bound to " + affinity + ", which matches several nodes");
    };
  }
}
