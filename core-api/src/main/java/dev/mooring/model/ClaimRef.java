package dev.mooring.model;

/**
 * A volume's reference to the claim that it belongs to.
 *
 * @param claim namespace and name, either of which a careless user may have left empty
 * @param uid the claim's uid; {@link Uid#NONE} when the volume is merely reserved by name
 */
public record ClaimRef(ObjectKey claim, Uid uid) {
  /** Whether it names nobody: an empty object, which the API server takes and keeps. */
  public boolean isEmpty() {
    return uid.isNone() && claim.name().isEmpty() && claim.namespace().isEmpty();
  }

  /** Whether the claim is in that namespace: people of another one may not learn its name. */
  public boolean isIn(String namespace) {
    return claim.namespace().equals(namespace);
  }

  /** Whether it names this very claim: same name and namespace, and no other uid. */
  public boolean isFor(ObjectKey key, Uid claimUid) {
    return claim.equals(key) && (uid.isNone() || uid.equals(claimUid));
  }
}
