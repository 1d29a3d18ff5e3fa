package dev.mooring.manager.shadow.pairing;

import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.Map;

/**
 * Write that a controller would have sent.
 *
 * @param origin controller, key and decision
 * @param action {@code patch}, {@code create} or {@code delete}
 * @param target kind and key of the object
 * @param version resourceVersion that the decision is based on; 0 if unknown
 * @param changes facts that the write changes; "" for a removed fact
 * @param context facts of the object before the write
 */
public record IntendedWrite(
    ActionOrigin origin,
    String action,
    String target,
    long version,
    Map<FactKey, String> changes,
    Map<FactKey, String> context) {
  public IntendedWrite {
    changes = Map.copyOf(changes);
    context = Map.copyOf(context);
  }

  public IntendedWrite with(long newVersion, Map<FactKey, String> newChanges) {
    return new IntendedWrite(origin, action, target, newVersion, newChanges, context);
  }

  public DecisionClass decisionClass() {
    return DecisionClass.of(changes);
  }

  boolean hasSameEffect(IntendedWrite other) {
    return target.equals(other.target) && changes.equals(other.changes);
  }
}
