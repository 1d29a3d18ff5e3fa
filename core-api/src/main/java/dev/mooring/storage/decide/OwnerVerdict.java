package dev.mooring.storage.decide;

import dev.mooring.live.Question;
import java.util.List;

/** Whether a volume still belongs to a claim. */
public sealed interface OwnerVerdict {
  /** Its claim is gone for good, and nothing else keeps the volume. */
  record Ownerless() implements OwnerVerdict {}

  /** An administrator took the volume from its claim, or reserved it by name; why it is spared. */
  record Freed(String why) implements OwnerVerdict {}

  /** Its claim still exists; why it is spared. */
  record Claimed(String why) implements OwnerVerdict {}

  /** The API server did not answer the question; why. */
  record Unknown(Question<?> question, String why) implements OwnerVerdict {}

  /** No cache may answer these questions: ask the API server, then decide again. */
  record Ask(List<Question<?>> questions) implements OwnerVerdict {
    public Ask {
      questions = List.copyOf(questions);
    }
  }
}
