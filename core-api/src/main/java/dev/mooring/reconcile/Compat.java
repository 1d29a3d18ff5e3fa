package dev.mooring.reconcile;

/** Behaviour where Mooring and Kubernetes differ ({@code --compat}). */
public enum Compat {
  MOORING,
  /** Kubernetes' behaviour; {@code docs/differences.md} lists the differences. */
  KUBERNETES;

  public boolean isKubernetes() {
    return this == KUBERNETES;
  }
}
