package dev.mooring.binder.decide;

import dev.mooring.model.Volume;

/** Verdict whether the data of a volume may be destroyed. */
public sealed interface ReclaimVerdict {
  record Confirmed(Volume volume) implements ReclaimVerdict {}

  record Spare(String reason) implements ReclaimVerdict {}

  record Twin(Volume twin) implements ReclaimVerdict {}

  record Gone() implements ReclaimVerdict {}

  record Unknown(String message) implements ReclaimVerdict {}
}
