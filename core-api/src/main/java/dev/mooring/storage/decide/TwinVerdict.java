package dev.mooring.storage.decide;

import dev.mooring.live.Question;
import dev.mooring.model.Volume;
import java.util.List;

public sealed interface TwinVerdict {
  record None() implements TwinVerdict {}

  record Exists(Volume other) implements TwinVerdict {}

  record Unknown(Question<?> question, String why) implements TwinVerdict {}

  record Ask(List<Question<?>> questions) implements TwinVerdict {
    public Ask {
      questions = List.copyOf(questions);
    }
  }
}
