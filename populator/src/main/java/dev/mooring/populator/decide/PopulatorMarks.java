package dev.mooring.populator.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.Optional;

/** Names, annotations and finalizers of the objects that a population uses. */
public final class PopulatorMarks {
  public static final String FINALIZER = "mooring.dev/populate-target-protection";

  /**
   * Annotation of prime claims and pods: namespace and name of the user's claim, on pods also the
   * uid of the prime claim whose volume the pod fills.
   */
  public static final String POPULATES = "mooring.dev/populates";

  public static final String ON_NODE = "mooring.dev/populates-on-node";

  public static final String POPULATED_FROM = "mooring.dev/populated-from";

  public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  public static final String PRIME_PREFIX = "prime-";

  private static final String POD_PREFIX = "populate-";

  private PopulatorMarks() {}

  public static String primeName(Uid claim) {
    return PRIME_PREFIX + claim;
  }

  public static String podName(Uid claim) {
    return POD_PREFIX + claim;
  }

  public static boolean isPrimeOf(Claim prime, ObjectKey claim, Uid uid) {
    return prime.meta().annotation(POPULATES).equals(claim.toString())
        && prime.meta().name().equals(primeName(uid));
  }

  /** Returns the claim that a prime claim belongs to; empty for other claims. */
  public static Optional<ObjectKey> findOriginal(Claim prime) {
    String original = prime.meta().annotation(POPULATES);
    int slash = original.indexOf('/');
    return prime.meta().name().startsWith(PRIME_PREFIX) && slash > 0
        ? Optional.of(ObjectKey.of(original.substring(0, slash), original.substring(slash + 1)))
        : Optional.empty();
  }

  public static Uid uidOf(Claim prime) {
    return Uid.of(prime.meta().name().substring(PRIME_PREFIX.length()));
  }

  public static boolean isHeld(Claim claim) {
    return claim.meta().finalizers().contains(FINALIZER);
  }
}
