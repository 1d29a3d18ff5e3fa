package dev.mooring.binder.decide;

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

  public boolean hasGuessableNames() {
    return this == AS_KUBERNETES;
  }

  public boolean adoptsEarlierPods() {
    return this == MOORING;
  }

  public boolean failsWhenPodVanishes() {
    return this == AS_KUBERNETES;
  }

  public boolean pausesAfterFailureOf(Volume volume) {
    return this == MOORING || volume.phase() == VolumePhase.FAILED;
  }
}
