package dev.mooring.binder.execute;

import dev.mooring.binder.decide.CodedNote;
import dev.mooring.binder.decide.Reason;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Compat;
import java.util.function.Supplier;

/** What events say, and on what occasions: chosen when the binder is assembled. */
public enum EventStyle {
  /** Once per change, and with what helps: the nearest volumes, the code, the remedy. */
  EXPLAINING,
  /** Kubernetes' words, on its occasions. */
  AS_KUBERNETES;

  /** The one of whose conduct is followed. */
  public static EventStyle of(Compat compat) {
    return compat.isKubernetes() ? AS_KUBERNETES : EXPLAINING;
  }

  /** Whether what stands is told at every look. */
  boolean repeats() {
    return this == AS_KUBERNETES;
  }

  /** Whether that is told which Kubernetes keeps to its log, or to itself. */
  boolean tellsMoreThanKubernetes() {
    return this == EXPLAINING;
  }

  /** Whether the volume is told that deleting or recycling it failed. */
  boolean tellsFailureOf(Volume volume) {
    return this == EXPLAINING || volume.phase() != VolumePhase.FAILED;
  }

  /** The details about the volumes that came nearest; they are asked for only if they are told. */
  String nearest(Reason why, Supplier<String> nearest) {
    String near = this == EXPLAINING && why.namesNearest() ? nearest.get() : "";
    return near.isEmpty() ? "" : "; nearest: " + near;
  }

  /** A note as it is told. */
  String full(Reason why, String note, String details) {
    return this == EXPLAINING ? CodedNote.note(why, note + details) : note;
  }
}
