package dev.mooring.binder.execute;

import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Compat;

/**
 * How recycler pods are called, and what becomes of those that are not as they were left: chosen
 * when the binder is assembled.
 */
public enum RecyclerStyle {
  /** Names that nobody can guess; what was left goes on, and what is gone is begun again. */
  MOORING,
  /** Names that follow from the volume's; what was left or is gone is a failure. */
  AS_KUBERNETES;

  /** The one of whose conduct is followed. */
  public static RecyclerStyle of(Compat compat) {
    return compat.isKubernetes() ? AS_KUBERNETES : MOORING;
  }

  /** Whether anybody can know what a pod is called. */
  boolean namesAreGuessed() {
    return this == AS_KUBERNETES;
  }

  /** Whether a pod from before a restart is waited for, if it does what ours would do. */
  boolean takesUpWhatWasLeft() {
    return this == MOORING;
  }

  /** Whether a pod that is gone before it has ended is a failure; else another one is started. */
  boolean failsWithItsPod() {
    return this == AS_KUBERNETES;
  }

  /** Whether the next try has to wait: Kubernetes tries again at once when a volume is Failed. */
  boolean pausesAfterFailureOf(Volume volume) {
    return this == MOORING || volume.phase() == VolumePhase.FAILED;
  }
}
