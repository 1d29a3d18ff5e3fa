package dev.mooring.binder.decide;

import dev.mooring.reconcile.Compat;

/**
 * Policy of the binder's decisions.
 *
 * @param compat whose behaviour applies where Mooring and Kubernetes differ ({@code --compat})
 * @param provisioning whether volumes may be provisioned ({@code --enable-dynamic-provisioning})
 */
public record BinderPolicy(Compat compat, boolean provisioning) {
  public static final BinderPolicy DEFAULTS = new BinderPolicy(Compat.MOORING, true);

  public AvailabilityRule availability() {
    return compat.isKubernetes() ? AvailabilityRule.KUBERNETES : AvailabilityRule.MOORING;
  }

  public MatchOrder order() {
    return compat.isKubernetes() ? MatchOrder.NARROWEST_SET_FIRST : MatchOrder.SMALLEST_FIRST;
  }
}
