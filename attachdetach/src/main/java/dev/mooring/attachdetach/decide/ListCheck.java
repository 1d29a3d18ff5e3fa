package dev.mooring.attachdetach.decide;

import dev.mooring.live.Fact;
import dev.mooring.model.Node;

/**
 * Decides what becomes of a node's list of attached volumes whose write found that somebody else
 * was first. Pure.
 */
public final class ListCheck {
  private ListCheck() {}

  /** What becomes of it. */
  public sealed interface ListVerdict {
    /**
     * It is written on top of what the other one wrote.
     *
     * @param now the node as it is now
     */
    record OnTop(Node now) implements ListVerdict {}

    /** Nothing: there is no such node any more. */
    record Over() implements ListVerdict {}

    /**
     * It could not be written.
     *
     * @param why for people
     */
    record Lost(String why) implements ListVerdict {}
  }

  /**
   * After a conflict.
   *
   * @param known the node that the write was for
   * @param conflict what the server said of it
   * @param now the node of that name, as the server has it since
   */
  public static ListVerdict afterConflict(Node known, String conflict, Fact<Node> now) {
    return switch (now) {
      case Fact.Present<Node>(Node it) when it.meta().uid().equals(known.meta().uid()) ->
          new ListVerdict.OnTop(it);
      case Fact.Present<Node> _ -> new ListVerdict.Lost(conflict); // another machine has the name
      case Fact.Absent<Node>() -> new ListVerdict.Over();
      case Fact.Unknown<Node>(String why) -> new ListVerdict.Lost(conflict + "; then: " + why);
      case Fact.NotAsked<Node>() -> new ListVerdict.Lost(conflict);
    };
  }
}
