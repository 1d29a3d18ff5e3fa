package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
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

  public static ConflictVerdict afterConflict(Node known, String conflict, Fact<Node> now) {
    return switch (now) {
      case Fact.Present<Node>(Node it) when it.meta().uid().equals(known.meta().uid()) ->
          new ConflictVerdict.OnTop(it);
      case Fact.Present<Node> _ ->
          new ConflictVerdict.Lost(conflict); // another machine has the name
      case Fact.Absent<Node>() -> new ConflictVerdict.Over();
      case Fact.Unknown<Node>(String why) -> new ConflictVerdict.Lost(conflict + "; then: " + why);
      case Fact.NotAsked<Node>() -> new ConflictVerdict.Lost(conflict);
    };
  }
}
