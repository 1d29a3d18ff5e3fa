package dev.mooring.storage.decide;

import dev.mooring.live.Question;
import dev.mooring.model.Volume;

public sealed interface TwinVerdict {
  record None() implements TwinVerdict {}

  record Exists(Volume twin) implements TwinVerdict {}

  record Unknown(Question<?> question, String reason) implements TwinVerdict {}
}
