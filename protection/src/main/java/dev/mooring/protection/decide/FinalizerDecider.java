package dev.mooring.protection.decide;

import dev.mooring.model.Meta;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.ArrayList;
import java.util.List;

/** Decides about protection finalizers. */
public final class FinalizerDecider {
  /** The finalizer of claims. */
  public static final String CLAIM_FINALIZER = "kubernetes.io/pvc-protection";

  /** The finalizer of volumes. */
  public static final String VOLUME_FINALIZER = "kubernetes.io/pv-protection";

  private FinalizerDecider() {}

  /**
   * A claim, with the pods that name it. Every pod that has a node holds it, finished ones too, as
   * Kubernetes has it.
   */
  public static FinalizerDecision claim(Meta claim, Iterable<Pod> pods) {
    for (Pod pod : pods) {
      if (!pod.nodeName().isEmpty()
          && claim.isBeingDeleted()
          && claim.finalizers().contains(CLAIM_FINALIZER)) {
        return new FinalizerDecision.Hold("pod " + pod.meta().name());
      }
    }
    return decide(claim, CLAIM_FINALIZER);
  }

  /** A volume. */
  public static FinalizerDecision volume(Volume volume) {
    boolean deleting =
        volume.meta().isBeingDeleted() && volume.finalizers().contains(VOLUME_FINALIZER);
    if (deleting && volume.phase() == VolumePhase.BOUND) {
      return new FinalizerDecision.Hold(
          "claim " + (volume.claimRef() == null ? "?" : volume.claimRef().claim()));
    }
    return decide(volume.meta(), VOLUME_FINALIZER);
  }

  private static FinalizerDecision decide(Meta meta, String finalizer) {
    boolean present = meta.finalizers().contains(finalizer);
    List<String> wanted = new ArrayList<>(meta.finalizers());
    if (meta.isBeingDeleted() && present) {
      wanted.remove(finalizer);
    } else if (!meta.isBeingDeleted() && !present) {
      wanted.add(finalizer);
    } else {
      return new FinalizerDecision.Leave();
    }
    return new FinalizerDecision.Replace(List.copyOf(wanted));
  }
}
