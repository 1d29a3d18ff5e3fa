package dev.mooring.csi.decide;

import dev.mooring.model.LabelSelector;
import dev.mooring.model.LabelSelector.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decides whether a node can reach a volume, for drivers with an instance on each node. */
public final class NodeReach {
  private static final Set<String> KNOWN_OPERATORS =
      Set.of("In", "NotIn", "Exists", "DoesNotExist");

  public enum Reachability {
    YES,
    NO,
    UNKNOWN
  }

  private NodeReach() {}

  /**
   * Evaluates the volume's node affinity.
   *
   * @param terms terms of the affinity, joined by OR; empty for all nodes
   * @param segments the node's topology segments at the driver; empty if unknown
   */
  public static Reachability decide(
      List<List<Requirement>> terms, Optional<Map<String, String>> segments) {
    if (terms.isEmpty()) {
      return Reachability.YES;
    }
    if (segments.isEmpty()) {
      return Reachability.UNKNOWN;
    }
    boolean hasUnknownOperator = false;
    for (List<Requirement> term : terms) {
      if (!term.stream().map(Requirement::operator).allMatch(KNOWN_OPERATORS::contains)) {
        hasUnknownOperator = true;
      } else if (!term.isEmpty() && new LabelSelector(Map.of(), term).matches(segments.get())) {
        return Reachability.YES;
      }
    }
    return hasUnknownOperator ? Reachability.UNKNOWN : Reachability.NO;
  }
}
