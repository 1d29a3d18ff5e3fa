package dev.mooring.binder.decide;

import dev.mooring.reconcile.Compat;

/**
 * How the binder decides.
 *
 * @param compat whose decisions are taken where Mooring and Kubernetes differ ({@code --compat})
 * @param provisioning whether volumes may be provisioned at all ({@code
 *     --enable-dynamic-provisioning})
 */
public record Policy(Compat compat, boolean provisioning) {
  /** Mooring's own way. */
  public static final Policy DEFAULTS = new Policy(Compat.MOORING, true);

  /** Which volumes are to be had. */
  public Availability availability() {
    return compat.isKubernetes() ? Availability.KUBERNETES : Availability.MOORING;
  }

  /** Which of them a claim gets. */
  public MatchOrder order() {
    return compat.isKubernetes() ? MatchOrder.NARROWEST_SET_FIRST : MatchOrder.SMALLEST_FIRST;
  }
}
