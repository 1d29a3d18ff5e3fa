package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Pod;
import java.util.List;

/** Verdict whether a recycler pod still scrubs a volume that is about to be given to a claim. */
public sealed interface LeftPodVerdict {
  record None() implements LeftPodVerdict {}

  record Scrubs(Pod pod) implements LeftPodVerdict {}

  record Ask(List<Question<?>> questions) implements LeftPodVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  record CannotTell(String why) implements LeftPodVerdict {}
}
