package dev.mooring.storage.decide;

import dev.mooring.live.Question;
import dev.mooring.model.Volume;
import java.util.List;

/** Whether another volume stands for the same storage. */
public sealed interface TwinVerdict {
  /** No other volume does. */
  record None() implements TwinVerdict {}

  /** This one does. */
  record Exists(Volume other) implements TwinVerdict {}

  /** The API server did not answer the question; why. */
  record Unknown(Question<?> question, String why) implements TwinVerdict {}

  /** No cache may answer these questions: ask the API server, then decide again. */
  record Ask(List<Question<?>> questions) implements TwinVerdict {
    public Ask {
      questions = List.copyOf(questions);
    }
  }
}
