package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import java.util.List;

/** Verdict whether the node that was selected for a claim exists. */
public sealed interface NodeVerdict {
  /** The node exists, or none was selected. */
  record There() implements NodeVerdict {}

  record Gone() implements NodeVerdict {}

  /** No node can have that name; {@code flaw} says why. */
  record Impossible(String flaw) implements NodeVerdict {}

  /** A cached answer is not sufficient: ask these questions, then decide again. */
  record Ask(List<Question<?>> questions) implements NodeVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  record CannotTell(String why) implements NodeVerdict {}
}
