package dev.mooring.binder.decide;

/**
 * How Kubernetes-like decisions are.
 *
 * @param kubernetes whether to decide exactly as kube-controller-manager does where Mooring would
 *     do better ({@code --compat=kcm})
 * @param provisioning whether volumes may be provisioned at all ({@code
 *     --enable-dynamic-provisioning})
 */
public record Policy(boolean kubernetes, boolean provisioning) {
  /** Mooring's own way. */
  public static final Policy DEFAULTS = new Policy(false, true);

  /** Which volumes are to be had. */
  public Availability availability() {
    return kubernetes ? Availability.KUBERNETES : Availability.MOORING;
  }

  /** Which of them a claim gets. */
  public MatchOrder order() {
    return kubernetes ? MatchOrder.NARROWEST_SET_FIRST : MatchOrder.SMALLEST_FIRST;
  }
}
