package dev.mooring.protection.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.reconcile.Compat;
import java.util.Optional;
import java.util.function.Function;

/** Decides which claim of a pod's generic ephemeral volumes must be created next. */
public final class EphemeralDecider {
  private EphemeralDecider() {}

  /**
   * Decides by the first volume, in the pod's order, that needs an action.
   *
   * @param cachedClaims looks up a claim in the cache
   * @param compat in Kubernetes the claims of a finished pod are created again
   */
  public static EphemeralDecision decide(
      Pod pod, Function<ObjectKey, Optional<Claim>> cachedClaims, Compat compat) {
    if (pod.meta().isBeingDeleted() || (!compat.isKubernetes() && pod.isFinished())) {
      return new EphemeralDecision.Nothing();
    }
    for (String volume : pod.ephemeral()) {
      ObjectKey key = ObjectKey.of(pod.key().namespace(), pod.claimOf(volume));
      Optional<Claim> claim = cachedClaims.apply(key);
      if (claim.isEmpty()) {
        return new EphemeralDecision.CreateClaim(volume, key);
      }
      if (!claim.get().meta().controller().equals(pod.meta().uid())) {
        return new EphemeralDecision.ForeignClaim(volume, key);
      }
    }
    return new EphemeralDecision.Nothing();
  }
}
