package dev.mooring.binder.execute;

import dev.mooring.binder.decide.CodedMessage;
import dev.mooring.binder.decide.Reason;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Compat;
import java.util.function.Supplier;

/** Content and frequency of events. Chosen when the binder is assembled. */
public enum EventStyle {
  /**
   * Emits an event once per change and adds help: the nearest volumes, the reason's code, the
   * remedy.
   */
  EXPLAINING,
  AS_KUBERNETES;

  public static EventStyle of(Compat compat) {
    return compat.isKubernetes() ? AS_KUBERNETES : EXPLAINING;
  }

  boolean emitsMoreThanKubernetes() {
    return this == EXPLAINING;
  }

  boolean emitsFailureOf(Volume volume) {
    return this == EXPLAINING || volume.phase() != VolumePhase.FAILED;
  }

  String describeNearest(Reason reason, Supplier<String> nearest) {
    String nearestVolumes = this == EXPLAINING && reason.listsNearestVolumes() ? nearest.get() : "";
    return nearestVolumes.isEmpty() ? "" : "; nearest: " + nearestVolumes;
  }

  String fullMessage(Reason reason, String message, String details) {
    return this == EXPLAINING ? CodedMessage.encode(reason, message + details) : message;
  }
}
