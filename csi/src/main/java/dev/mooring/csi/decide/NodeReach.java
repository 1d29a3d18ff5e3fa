package dev.mooring.csi.decide;

import dev.mooring.model.LabelSelector;
import dev.mooring.model.LabelSelector.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether a volume is on a node, where each node has an instance of its own. */
public final class NodeReach {
  private static final Set<String> KNOWN = Set.of("In", "NotIn", "Exists", "DoesNotExist");

  /** Whether the node reaches it. */
  public enum Reach {
    /** It does. */
    YES,
    /** It does not. */
    NO,
    /** That is not known. */
    UNKNOWN
  }

  private NodeReach() {}

  /**
   * By the volume's node affinity.
   *
   * @param terms its terms, each of them enough; none for every node
   * @param segments the node's place, as the driver tells places apart; empty if that is not known
   */
  public static Reach of(List<List<Requirement>> terms, Optional<Map<String, String>> segments) {
    if (terms.isEmpty()) {
      return Reach.YES;
    }
    if (segments.isEmpty()) {
      return Reach.UNKNOWN;
    }
    boolean unknown = false;
    for (List<Requirement> term : terms) {
      if (!term.stream().map(Requirement::operator).allMatch(KNOWN::contains)) {
        unknown = true;
      } else if (!term.isEmpty() && new LabelSelector(Map.of(), term).matches(segments.get())) {
        return Reach.YES;
      }
    }
    return unknown ? Reach.UNKNOWN : Reach.NO;
  }
}
