package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;

/** Decides what to do after a conflict in a write of a node's list of attached volumes. Pure. */
public final class StatusConflictCheck {
  private StatusConflictCheck() {}

  public sealed interface ConflictVerdict {
    // write the list again, on this version of the node
    record OnTop(Node now) implements ConflictVerdict {}

    // the node is gone; there is nothing to write
    record Over() implements ConflictVerdict {}

    record Lost(String why) implements ConflictVerdict {}
  }

  public static Step<ConflictVerdict> decide(Node known, String conflict, LiveFacts live) {
    return switch (live.of(Kind.NODE, known.key())) {
      case Fact.NotAsked<Node>() -> Step.ask(Kind.NODE, known.key());
      case Fact.Present<Node>(Node now) ->
          Step.decided(
              now.meta().uid().equals(known.meta().uid())
                  ? new ConflictVerdict.OnTop(now)
                  : new ConflictVerdict.Lost(conflict)); // another machine has the name
      case Fact.Absent<Node>() -> Step.decided(new ConflictVerdict.Over());
      case Fact.Unknown<Node>(String why) ->
          Step.decided(new ConflictVerdict.Lost(conflict + "; then: " + why));
    };
  }
}
