package dev.mooring.manager.shadow.pairing;

import dev.mooring.model.Kind;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.Map;
import java.util.Set;

/** Class of a decision, by the facts that it changes. The order is the priority of the classes. */
public enum DecisionClass {
  BIND("bind", "binder"),
  ATTACH("attach", "attach"),
  DETACH("detach", "attach"),
  LIST_ATTACHED("list-attached", "attach"),
  CREATE_CLAIM("create-claim", "ephemeral"),
  DELETE("delete", "binder"),
  SET_PHASE("set-phase", "binder"),
  PROTECT("protect", "protection"),
  RELEASE("release", "protection"),
  SET_CLASS("set-class", "binder"),
  GROW("grow", "expand"),
  MARK("mark", "binder"),
  CALL("call", "");

  private static final Set<String> BIND_PROPERTIES =
      Set.of(
          ObjectFacts.CLAIM_REF,
          ObjectFacts.VOLUME,
          "spec.volumeName",
          "status.accessModes",
          ObjectFacts.annotation("pv.kubernetes.io/bind-completed"),
          ObjectFacts.annotation("pv.kubernetes.io/bound-by-controller"));

  private static final String RESIZER =
      ObjectFacts.annotation("volume.kubernetes.io/storage-resizer");

  private final String label;
  private final String controller;

  DecisionClass(String label, String controller) {
    this.label = label;
    this.controller = controller;
  }

  public static DecisionClass of(Map<FactKey, String> changes) {
    return changes.entrySet().stream()
        .map(change -> of(change.getKey(), change.getValue()))
        .min(Enum::compareTo)
        .orElse(MARK);
  }

  static DecisionClass of(FactKey fact, String value) {
    String property = fact.property();
    if (BIND_PROPERTIES.contains(property)) {
      return BIND;
    }
    if (property.equals(ObjectFacts.PHASE)) {
      return value.equals("Bound") ? BIND : SET_PHASE;
    }
    if (property.equals(ObjectFacts.EXISTS)) {
      return existence(fact, value);
    }
    if (property.startsWith(ObjectFacts.FINALIZER)) {
      return value.isEmpty() ? RELEASE : PROTECT;
    }
    if (property.startsWith(ObjectFacts.ATTACHED)) {
      return LIST_ATTACHED;
    }
    if (property.contains("capacity") || property.equals(RESIZER)) {
      return GROW;
    }
    return property.equals(ObjectFacts.CLASS) ? SET_CLASS : MARK;
  }

  private static DecisionClass existence(FactKey fact, String value) {
    if (fact.kind().equals(Kind.ATTACHMENT.kind())) {
      return value.isEmpty() ? DETACH : ATTACH;
    }
    return value.isEmpty() ? DELETE : CREATE_CLAIM;
  }

  boolean isDecidedBy(String controllerName) {
    return controllerName.contains(controller);
  }

  boolean isDecidedBy(ActionOrigin origin) {
    boolean isOfProtection = this == PROTECT || this == RELEASE;
    return isDecidedBy(origin.controller())
        && !(isOfProtection && origin.decision().isEmpty()); // it waits for an answer
  }

  boolean isRepeatedBySlowWork() {
    return this == ATTACH || this == DETACH || this == LIST_ATTACHED;
  }

  // The node needs the volume: the detach was decided before its pod or claim arrived.
  boolean isRevokedBy(String laterDecision) {
    return this == DETACH && (laterDecision.equals("Keep") || laterDecision.equals("Attach"));
  }

  @Override
  public String toString() {
    return label;
  }
}
