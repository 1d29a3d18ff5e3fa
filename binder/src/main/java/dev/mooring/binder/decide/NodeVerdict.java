package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import java.util.List;

/** Whether the node that was chosen for a claim is there. */
public sealed interface NodeVerdict {
  /** It is, or none was chosen. */
  record There() implements NodeVerdict {}

  /** There is none of that name. */
  record Gone() implements NodeVerdict {}

  /** There can be none of that name; why. */
  record Impossible(String flaw) implements NodeVerdict {}

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask(List<Question<?>> questions) implements NodeVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The server gave no answer. */
  record CannotTell(String why) implements NodeVerdict {}
}
