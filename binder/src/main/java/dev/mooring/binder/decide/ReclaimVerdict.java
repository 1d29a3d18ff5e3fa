package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Volume;
import java.util.List;

/** Verdict whether the data of a volume may be destroyed. */
public sealed interface ReclaimVerdict {
  record Confirmed(Volume volume) implements ReclaimVerdict {}

  record Spare(String why) implements ReclaimVerdict {}

  record Twin(Volume other) implements ReclaimVerdict {}

  record Gone() implements ReclaimVerdict {}

  record Ask(List<Question<?>> questions) implements ReclaimVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  record CannotTell(String why) implements ReclaimVerdict {}
}
