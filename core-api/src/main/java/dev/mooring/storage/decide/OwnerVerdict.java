package dev.mooring.storage.decide;

import dev.mooring.live.Question;
import java.util.List;

public sealed interface OwnerVerdict {
  /** The claim has gone for good, and nothing else keeps the volume. */
  record Ownerless() implements OwnerVerdict {}

  /**
   * An administrator removed the claim from the volume or reserved the volume by name.
   *
   * @param why reason to keep the volume
   */
  record Freed(String why) implements OwnerVerdict {}

  /**
   * The claim still exists.
   *
   * @param why reason to keep the volume
   */
  record Claimed(String why) implements OwnerVerdict {}

  record Unknown(Question<?> question, String why) implements OwnerVerdict {}

  /** Requires live reads before the next decision. */
  record Ask(List<Question<?>> questions) implements OwnerVerdict {
    public Ask {
      questions = List.copyOf(questions);
    }
  }
}
