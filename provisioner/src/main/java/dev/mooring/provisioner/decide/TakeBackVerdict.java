package dev.mooring.provisioner.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import java.util.List;

/** Whether what was made for a claim and could not be saved may be destroyed again. */
public sealed interface TakeBackVerdict {
  /** It may: the server does not have it. */
  record Unsaved() implements TakeBackVerdict {}

  /** It may not: an attempt whose answer was lost has saved it. */
  record Saved() implements TakeBackVerdict {}

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask(List<Question<?>> questions) implements TakeBackVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The server gave no answer: it may be saved, and is asked for again. */
  record CannotTell(String why) implements TakeBackVerdict {}
}
