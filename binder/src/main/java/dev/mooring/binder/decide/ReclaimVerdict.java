package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Volume;
import java.util.List;

/** Whether what is on a volume may be destroyed. */
public sealed interface ReclaimVerdict {
  /** It may: the server says so of everything that it rests on. The volume as it is now. */
  record Confirmed(Volume volume) implements ReclaimVerdict {}

  /** It may not; why. */
  record Spare(String why) implements ReclaimVerdict {}

  /** It may not yet: that volume stands for the same storage. */
  record Twin(Volume other) implements ReclaimVerdict {}

  /** There is no such volume any more. */
  record Gone() implements ReclaimVerdict {}

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask(List<Question<?>> questions) implements ReclaimVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The server gave no answer: it may not, and is asked again. */
  record CannotTell(String why) implements ReclaimVerdict {}
}
