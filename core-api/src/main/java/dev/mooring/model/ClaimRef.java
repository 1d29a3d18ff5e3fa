package dev.mooring.model;

/**
 * A volume's reference to its claim.
 *
 * @param claim namespace and name; a user may have left either empty
 * @param uid uid of the claim; {@link Uid#NONE} if the volume is only reserved for a claim of that
 *     name
 */
public record ClaimRef(ObjectKey claim, Uid uid) {
  /** Returns whether all fields are empty. The API server accepts and stores such an object. */
  public boolean isEmpty() {
    return uid.isNone() && claim.name().isEmpty() && claim.namespace().isEmpty();
  }

  /**
   * Returns whether the claim is in the namespace. Users of other namespaces may not learn the
   * claim's name.
   */
  public boolean isIn(String namespace) {
    return claim.namespace().equals(namespace);
  }

  /**
   * Returns whether the reference matches the claim: equal namespace and name, and an equal or
   * absent uid.
   */
  public boolean isFor(ObjectKey key, Uid claimUid) {
    return claim.equals(key) && (uid.isNone() || uid.equals(claimUid));
  }
}
