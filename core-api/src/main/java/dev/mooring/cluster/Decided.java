package dev.mooring.cluster;

import dev.mooring.model.Reasoned;
import dev.mooring.workqueue.OwnDoing;

/** Records a decision between the decider and its executor, for the audit log. */
public final class Decided {
  private Decided() {}

  /**
   * Records the decision as the cause of this thread's next actions for its key.
   *
   * @param decision an enum constant, or a record whose class names the action; the name is
   *     recorded
   * @return the same decision
   */
  public static <D> D by(D decision) {
    OwnDoing.Activity activity = OwnDoing.current();
    if (activity != null) {
      activity.decided(
          decision instanceof Enum<?> constant
              ? constant.name()
              : decision.getClass().getSimpleName(),
          decision instanceof Reasoned reasoned ? reasoned.why().code() : "");
    }
    return decision;
  }
}
