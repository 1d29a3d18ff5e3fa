package dev.mooring.manager.shadow.pairing;

import dev.mooring.model.ObjectKey;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Change of an object in the cluster.
 *
 * @param kind name of the kind
 * @param version resourceVersion after the change
 * @param before facts before the change; empty for a new object
 * @param after facts after it; empty for a deleted object
 * @param reconcileKeys keys under which controllers reconcile the object
 * @param isOwnedByPod whether a pod controls the object
 */
public record ObservedChange(
    String kind,
    ObjectKey key,
    long version,
    Map<FactKey, String> before,
    Map<FactKey, String> after,
    Set<String> reconcileKeys,
    boolean isOwnedByPod) {
  public ObservedChange {
    before = Map.copyOf(before);
    after = Map.copyOf(after);
    reconcileKeys = Set.copyOf(reconcileKeys);
  }

  public String target() {
    return kind + " " + key;
  }

  public Map<FactKey, String> changes() {
    Map<FactKey, String> changes = new TreeMap<>();
    after.forEach((fact, value) -> {
      if (!value.equals(before.get(fact))) {
        changes.put(fact, value);
      }
    });
    before.keySet().stream()
        .filter(fact -> !after.containsKey(fact))
        .forEach(fact -> changes.put(fact, ""));
    return changes;
  }

  Set<String> decidingKeys(Map<FactKey, String> facts) {
    String claimRef = facts.getOrDefault(new FactKey(kind, key, ObjectFacts.CLAIM_REF), "");
    boolean isOfClaim = !claimRef.isEmpty() && !claimRef.endsWith(ObjectFacts.RESERVED);
    return isOfClaim ? Set.of(claimRef.replaceFirst(" .*", "")) : reconcileKeys;
  }

  // Only a provisioner knows the claim's uid when it creates the volume.
  boolean isBoundFromStart() {
    String claimRef = after.getOrDefault(new FactKey(kind, key, ObjectFacts.CLAIM_REF), "");
    return before.isEmpty() && claimRef.contains("/") && !claimRef.endsWith(ObjectFacts.RESERVED);
  }

  boolean isControllersChange(FactKey fact, String value) {
    String property = fact.property();
    if (property.equals(ObjectFacts.EXISTS)) {
      return kind.equals("VolumeAttachment") || isOwnedByPod && before.isEmpty();
    }
    if (before.isEmpty()) {
      return false;
    }
    boolean isProtection =
        property.startsWith(ObjectFacts.FINALIZER) && property.endsWith("-protection]");
    if (after.isEmpty()) {
      return isProtection;
    }
    return isProtection
        || property.startsWith(ObjectFacts.ATTACHED)
        || CONTROLLER_PROPERTIES.contains(property)
        || property.equals(ObjectFacts.CLASS) && !value.isEmpty();
  }

  private static final Set<String> CONTROLLER_PROPERTIES =
      Set.of(
          ObjectFacts.CLAIM_REF,
          ObjectFacts.PHASE,
          "spec.volumeName",
          ObjectFacts.finalizer("kubernetes.io/pv-controller"),
          ObjectFacts.annotation("pv.kubernetes.io/bind-completed"),
          ObjectFacts.annotation("pv.kubernetes.io/bound-by-controller"),
          ObjectFacts.annotation("pv.kubernetes.io/migrated-to"),
          ObjectFacts.annotation("volume.kubernetes.io/storage-provisioner"),
          ObjectFacts.annotation("volume.beta.kubernetes.io/storage-provisioner"),
          ObjectFacts.annotation("volume.kubernetes.io/storage-resizer"));
}
