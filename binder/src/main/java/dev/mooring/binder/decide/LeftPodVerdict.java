package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Pod;
import java.util.List;

/** Whether a pod still empties a volume that somebody else is to have. */
public sealed interface LeftPodVerdict {
  /** None does. */
  record None() implements LeftPodVerdict {}

  /** That one does: it is stopped first. */
  record Empties(Pod pod) implements LeftPodVerdict {}

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask(List<Question<?>> questions) implements LeftPodVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The server gave no answer: nobody gets the volume. */
  record CannotTell(String why) implements LeftPodVerdict {}
}
