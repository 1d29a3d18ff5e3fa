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
    record WriteAgain(Node node) implements ConflictVerdict {}

    // the node is gone; there is nothing to write
    record NodeGone() implements ConflictVerdict {}

    record Failed(String message) implements ConflictVerdict {}
  }

  public static Step<ConflictVerdict> decide(
      Node writtenNode, String conflictMessage, LiveFacts live) {
    return switch (live.of(Kind.NODE, writtenNode.key())) {
      case Fact.NotAsked<Node>() -> Step.ask(Kind.NODE, writtenNode.key());
      case Fact.Present<Node>(Node current) ->
          Step.decided(
              current.meta().uid().equals(writtenNode.meta().uid())
                  ? new ConflictVerdict.WriteAgain(current)
                  : new ConflictVerdict.Failed(conflictMessage)); // another machine has the name
      case Fact.Absent<Node>() -> Step.decided(new ConflictVerdict.NodeGone());
      case Fact.Unknown<Node>(String message) ->
          Step.decided(new ConflictVerdict.Failed(conflictMessage + "; then: " + message));
    };
  }
}
