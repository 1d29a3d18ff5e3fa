package dev.mooring.binder.decide;

import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes that the scheduler may select for the pod of a claim: the selected node, or all nodes.
 * Taints and free capacity for the pod are not considered. Caches its answers. Not thread-safe.
 */
public final class EligibleNodes {
  public static final EligibleNodes UNKNOWN = new EligibleNodes(List.of(), "", false);

  private final List<Node> nodes;
  private final String selectedNode;
  private final boolean areKnown;
  private final Map<NodeAffinity, Boolean> answers = new HashMap<>();

  private EligibleNodes(List<Node> nodes, String selectedNode, boolean areKnown) {
    this.nodes = List.copyOf(nodes);
    this.selectedNode = selectedNode;
    this.areKnown = areKnown;
  }

  public static EligibleNodes ofSelected(Node node) {
    return new EligibleNodes(List.of(node), node.meta().name(), true);
  }

  public static EligibleNodes ofAll(List<Node> nodes) {
    return new EligibleNodes(nodes, "", true);
  }

  boolean areKnown() {
    return areKnown;
  }

  boolean canReach(NodeAffinity affinity) {
    return affinity.equals(NodeAffinity.NONE)
        || answers.computeIfAbsent(affinity, a -> nodes.stream().anyMatch(a::admits));
  }

  String unreachableReason(NodeAffinity affinity) {
    return "requires a node with "
        + affinity
        + (selectedNode.isEmpty() ? "; none exists" : "; node " + selectedNode + " was chosen");
  }
}
