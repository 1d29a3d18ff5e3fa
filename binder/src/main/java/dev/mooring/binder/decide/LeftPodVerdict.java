package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Pod;
import java.util.List;

/** Verdict whether a recycler pod still scrubs a volume that is about to be given to a claim. */
public sealed interface LeftPodVerdict {
  record None() implements LeftPodVerdict {}

  /** The pod scrubs the volume and must be stopped first. */
  record Scrubs(Pod pod) implements LeftPodVerdict {}

  /** A cached answer is not sufficient: ask these questions, then decide again. */
  record Ask(List<Question<?>> questions) implements LeftPodVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The API server did not answer: the volume is given to no claim. */
  record CannotTell(String why) implements LeftPodVerdict {}
}
