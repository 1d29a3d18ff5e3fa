package dev.mooring.manager.shadow.pairing;

import dev.mooring.model.Kind;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Write that a controller would have sent.
 *
 * @param origin controller, key and decision
 * @param action {@code patch}, {@code create} or {@code delete}
 * @param target kind and key of the object
 * @param version resourceVersion that the decision is based on; 0 if unknown
 * @param changes facts that the write changes; "" for a removed fact
 * @param context facts of the object before the write
 * @param linked further objects that the decision depends on, as kind and key
 */
public record IntendedWrite(
    ActionOrigin origin,
    String action,
    String target,
    long version,
    Map<FactKey, String> changes,
    Map<FactKey, String> context,
    Set<String> linked) {
  public IntendedWrite {
    changes = Map.copyOf(changes);
    context = Map.copyOf(context);
    linked = Set.copyOf(linked);
  }

  public IntendedWrite with(long newVersion, Map<FactKey, String> newChanges) {
    return new IntendedWrite(origin, action, target, newVersion, newChanges, context, linked);
  }

  public DecisionClass decisionClass() {
    return DecisionClass.of(changes);
  }

  // the object, the claim or volume that it names, and linked objects
  Set<String> readTargets() {
    Set<String> targets = new TreeSet<>(linked);
    targets.add(target);
    for (Map<FactKey, String> facts : List.of(context, changes)) {
      facts.forEach((fact, value) -> {
        targets.add(fact.subject());
        if (fact.property().equals(ObjectFacts.VOLUME)) {
          targets.add(Kind.VOLUME + " " + value);
        } else if (fact.property().equals(ObjectFacts.CLAIM_REF)) {
          targets.add(Kind.CLAIM + " " + value.replaceFirst(" .*", ""));
        }
      });
    }
    return targets;
  }

  boolean hasSameEffect(IntendedWrite other) {
    return target.equals(other.target) && changes.equals(other.changes);
  }
}
