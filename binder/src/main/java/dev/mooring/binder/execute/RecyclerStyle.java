package dev.mooring.binder.execute;

import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Compat;

/**
 * Names of recycler pods, and the handling of pods from before a restart and of deleted pods.
 * Chosen when the binder is assembled.
 */
public enum RecyclerStyle {
  /**
   * Names cannot be guessed; a pod from before a restart is adopted, and a deleted pod is replaced.
   */
  MOORING,
  /**
   * Names derive from the volume's name; a pod from before a restart, or a deleted pod, is a
   * failure.
   */
  AS_KUBERNETES;

  public static RecyclerStyle of(Compat compat) {
    return compat.isKubernetes() ? AS_KUBERNETES : MOORING;
  }

  boolean hasGuessableNames() {
    return this == AS_KUBERNETES;
  }

  /** Returns whether a pod from before a restart is adopted if it does what our pod would do. */
  boolean adoptsLeftPods() {
    return this == MOORING;
  }

  /**
   * Returns whether a pod that was deleted before it ended is a failure; otherwise another one is
   * started.
   */
  boolean failsWithPod() {
    return this == AS_KUBERNETES;
  }

  /** Returns whether a retry is delayed: Kubernetes retries immediately if the volume is Failed. */
  boolean pausesAfterFailureOf(Volume volume) {
    return this == MOORING || volume.phase() == VolumePhase.FAILED;
  }
}
