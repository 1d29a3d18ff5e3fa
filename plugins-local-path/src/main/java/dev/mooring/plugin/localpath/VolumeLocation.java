package dev.mooring.plugin.localpath;

import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import java.util.List;
import java.util.Optional;

sealed interface VolumeLocation {
  record On(Node node) implements VolumeLocation {}

  record Gone(String node) implements VolumeLocation {}

  record AskAll() implements VolumeLocation {}

  record Unclear(String why) implements VolumeLocation {}

  static Optional<String> named(NodeAffinity affinity, String noted) {
    if (!noted.isEmpty()) {
      return Optional.of(noted);
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
   * @param found the node, if it exists
   * @param all all nodes, if they were listed
   */
  static VolumeLocation of(
      NodeAffinity affinity, String name, Optional<Node> found, Optional<List<Node>> all) {
    if (affinity.terms().isEmpty()) {
      return new Unclear("the volume does not name the node that it is bound to");
    }
    if (found.filter(affinity::admits).isPresent()) {
      return new On(found.get());
    }
    if (all.isEmpty()) {
      return new AskAll();
    }
    List<Node> able = all.get().stream().filter(affinity::admits).toList();
    return switch (able.size()) {
      case 0 ->
          found.isPresent()
              ? new Unclear(
                  "the volume is bound to %s, which matches no node, and node %s exists: correct the node's labels"
                      .formatted(affinity, name))
              : new Gone(name);
      case 1 ->
          found.isPresent()
              ? new Unclear(
                  "the volume was created on node %s and is bound to %s"
                      .formatted(name, able.getFirst().meta().name()))
              : new On(able.getFirst());
      default ->
          new Unclear("the volume is bound to " + affinity + ", which matches several nodes");
    };
  }
}
