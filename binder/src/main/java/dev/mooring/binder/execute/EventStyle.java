package dev.mooring.binder.execute;

import dev.mooring.binder.decide.CodedNote;
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

  String nearestDetails(Reason why, Supplier<String> nearest) {
    String near = this == EXPLAINING && why.namesNearest() ? nearest.get() : "";
    return near.isEmpty() ? "" : "; nearest: " + near;
  }

  String fullNote(Reason why, String note, String details) {
    return this == EXPLAINING ? CodedNote.note(why, note + details) : note;
  }
}
