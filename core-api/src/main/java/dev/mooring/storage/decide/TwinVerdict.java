package dev.mooring.storage.decide;

import dev.mooring.live.Question;
import dev.mooring.model.Volume;

public sealed interface TwinVerdict {
  record None() implements TwinVerdict {}

  record Exists(Volume other) implements TwinVerdict {}

  record Unknown(Question<?> question, String why) implements TwinVerdict {}
}
