package dev.mooring.binder.decide;

import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that the scheduler may choose for the pod of a claim: the one that it has chosen, or
 * all. What else it looks at (taints, room for the pod) is not known here. For one thread: it
 * remembers what it was asked.
 */
public final class EligibleNodes {
  /** Nothing is known of nodes. */
  public static final EligibleNodes UNKNOWN = new EligibleNodes(List.of(), "", false);

  private final List<Node> nodes;
  private final String selected;
  private final boolean known;
  private final Map<NodeAffinity, Boolean> answers = new HashMap<>();

  private EligibleNodes(List<Node> nodes, String selected, boolean known) {
    this.nodes = List.copyOf(nodes);
    this.selected = selected;
    this.known = known;
  }

  /** One node was chosen. */
  public static EligibleNodes selected(Node node) {
    return new EligibleNodes(List.of(node), node.meta().name(), true);
  }

  /** None was chosen, and these are there. */
  public static EligibleNodes all(List<Node> nodes) {
    return new EligibleNodes(nodes, "", true);
  }

  boolean areKnown() {
    return known;
  }

  /** Whether one of them reaches such a volume. */
  boolean reach(NodeAffinity affinity) {
    return affinity.equals(NodeAffinity.NONE)
        || answers.computeIfAbsent(affinity, a -> nodes.stream().anyMatch(a::admits));
  }

  /** Why none does, as the end of a sentence about the volume. */
  String lack(NodeAffinity affinity) {
    return "asks for a node with "
        + affinity
        + (selected.isEmpty() ? "; there is none" : "; node " + selected + " was chosen");
  }
}
