package dev.mooring.plugin.localpath;

import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import java.util.List;
import java.util.Optional;

/** On which node a volume's directory is. Pure. */
sealed interface Whereabouts {
  /** On that one. */
  record On(Node node) implements Whereabouts {}

  /** On one that is not there any more, by the server's word. */
  record Gone(String node) implements Whereabouts {}

  /** Only all nodes together can tell. */
  record AskAll() implements Whereabouts {}

  /** Nobody can tell. */
  record Unclear(String why) implements Whereabouts {}

  /**
   * The node that is to be asked for.
   *
   * @param noted what the volume's annotation says, "" if nothing
   */
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
   * Decides: by the labels that the volume is bound to, because pods go by them; a node's name
   * alone says little, where a machine has come back under another one.
   *
   * @param name the node that was asked for
   * @param found what the server says of it
   * @param all all nodes, once they were asked for
   */
  static Whereabouts of(
      NodeAffinity affinity, String name, Optional<Node> found, Optional<List<Node>> all) {
    if (affinity.terms().isEmpty()) {
      return new Unclear("it does not say which node it is bound to");
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
                  "it is bound to "
                      + affinity
                      + ", which no node is, and node "
                      + name
                      + " is there: correct the node's labels")
              : new Gone(name);
      case 1 ->
          found.isPresent()
              ? new Unclear(
                  "it was made on node "
                      + name
                      + " and is bound to "
                      + able.getFirst().meta().name())
              : new On(able.getFirst());
      default -> new Unclear("it is bound to " + affinity + ", which several nodes are");
    };
  }
}
