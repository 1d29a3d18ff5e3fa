package dev.mooring.reconcile;

/** Whose conduct is followed where Mooring and Kubernetes differ ({@code --compat}). */
public enum Compat {
  /** Mooring's own. */
  MOORING,
  /** Kubernetes', as it is in {@code docs/differences.md}. */
  KUBERNETES;

  /** Whether it is Kubernetes'. */
  public boolean isKubernetes() {
    return this == KUBERNETES;
  }
}
