package dev.mooring.storage.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Volume;
import java.util.List;

/** Whether the volume that is made for a claim is saved as an object already. */
public sealed interface SavedVerdict {
  /** It is not: it may be made, and what was made may be destroyed again. */
  record NotThere() implements SavedVerdict {}

  /** It is. */
  record Saved() implements SavedVerdict {}

  /** Another volume has its name. */
  record NameTaken(Volume by) implements SavedVerdict {}

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask(List<Question<?>> questions) implements SavedVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The server gave no answer: it may be there. Nothing is made, and nothing is destroyed. */
  record CannotTell(String why) implements SavedVerdict {}
}
