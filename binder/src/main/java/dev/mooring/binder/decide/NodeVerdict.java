package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import java.util.List;

/** Verdict whether the node that was selected for a claim exists. */
public sealed interface NodeVerdict {
  record There() implements NodeVerdict {}

  record Gone() implements NodeVerdict {}

  record Impossible(String flaw) implements NodeVerdict {}

  record Ask(List<Question<?>> questions) implements NodeVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  record CannotTell(String why) implements NodeVerdict {}
}
