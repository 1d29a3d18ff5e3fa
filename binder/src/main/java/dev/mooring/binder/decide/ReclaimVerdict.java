package dev.mooring.binder.decide;

import dev.mooring.model.Volume;

/** Verdict whether the data of a volume may be destroyed. */
public sealed interface ReclaimVerdict {
  record Confirmed(Volume volume) implements ReclaimVerdict {}

  record Spare(String why) implements ReclaimVerdict {}

  record Twin(Volume other) implements ReclaimVerdict {}

  record Gone() implements ReclaimVerdict {}

  record CannotTell(String why) implements ReclaimVerdict {}
}
