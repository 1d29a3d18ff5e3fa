package dev.mooring.reconcile;

/** Behaviour where Mooring and Kubernetes differ ({@code --compat}). */
public enum Compat {
  MOORING,
  KUBERNETES;

  public boolean isKubernetes() {
    return this == KUBERNETES;
  }
}
