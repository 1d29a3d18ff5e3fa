package dev.mooring.manager.shadow.pairing;

import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Difference between an intended write and the cluster.
 *
 * @param difference form of the difference
 * @param intent the intended write; empty if there is none
 * @param change the cluster's change; empty if there is none
 * @param decisions what the shadow's controllers decided for the objects
 * @param facts facts in which both differ, with the cluster's values; "" for absent
 */
public record PairedDifference(
    Difference difference,
    DecisionClass decisionClass,
    Optional<IntendedWrite> intent,
    Optional<ObservedChange> change,
    List<ActionOrigin> decisions,
    Map<FactKey, String> facts) {
  public enum Difference {
    /** Both change the same fact to different values. */
    CONTRARY,
    /** The cluster makes a change that the shadow does not intend. */
    NOT_INTENDED,
    /** The cluster does not make a change that the shadow intends. */
    NOT_DONE
  }

  public PairedDifference {
    decisions = List.copyOf(decisions);
    facts = Map.copyOf(facts);
  }

  public String target() {
    return change
        .map(ObservedChange::target)
        .or(() -> intent.map(IntendedWrite::target))
        .orElseThrow();
  }
}
