package dev.mooring.protection.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.reconcile.Compat;
import java.util.Optional;
import java.util.function.Function;

/** Decides which claim of a pod's generic ephemeral volumes is to be made next. */
public final class EphemeralDecider {
  private EphemeralDecider() {}

  /**
   * Looks at the volumes in the pod's order; the first that needs something decides.
   *
   * @param pod the pod
   * @param claims known claims
   * @param compat in Kubernetes' a pod that has run to its end gets its claims again
   */
  public static EphemeralDecision decide(
      Pod pod, Function<ObjectKey, Optional<Claim>> claims, Compat compat) {
    if (pod.meta().isBeingDeleted() || (!compat.isKubernetes() && pod.isFinished())) {
      return new EphemeralDecision.Nothing();
    }
    for (String volume : pod.ephemeral()) {
      ObjectKey key = ObjectKey.of(pod.key().namespace(), pod.claimOf(volume));
      Optional<Claim> claim = claims.apply(key);
      if (claim.isEmpty()) {
        return new EphemeralDecision.Make(volume, key);
      }
      if (!claim.get().meta().controller().equals(pod.meta().uid())) {
        return new EphemeralDecision.Foreign(volume, key);
      }
    }
    return new EphemeralDecision.Nothing();
  }
}
