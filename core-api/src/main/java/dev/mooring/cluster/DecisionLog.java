package dev.mooring.cluster;

import dev.mooring.model.ReasonedChoice;
import dev.mooring.workqueue.ReconcileContext;

/** Records a decision between the decider and its executor, for the audit log. */
public final class DecisionLog {
  private DecisionLog() {}

  /**
   * Records the decision as the cause of this thread's next actions for its key.
   *
   * @param decision an enum constant, or a record whose class names the action; the name is
   *     recorded
   * @return the same decision
   */
  public static <D> D recordDecision(D decision) {
    ReconcileContext.ReconcileListener listener = ReconcileContext.current();
    if (listener != null) {
      listener.decisionMade(
          decision instanceof Enum<?> constant
              ? constant.name()
              : decision.getClass().getSimpleName(),
          decision instanceof ReasonedChoice reasoned ? reasoned.reason().code() : "");
    }
    return decision;
  }
}
