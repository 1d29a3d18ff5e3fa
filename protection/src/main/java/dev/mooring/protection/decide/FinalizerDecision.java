package dev.mooring.protection.decide;

import dev.mooring.live.Question;
import dev.mooring.protection.decide.FinalizerDecider.TerminationReason;
import java.util.List;

/** Action for an object's protection finalizer. */
public sealed interface FinalizerDecision {
  record Protect(List<String> finalizers) implements FinalizerDecision {}

  record Release(List<String> finalizers) implements FinalizerDecision {}

  record Hold(List<ObjectUse> uses) implements FinalizerDecision {
    public Hold {
      uses = List.copyOf(uses);
      if (uses.isEmpty()) {
        throw new IllegalArgumentException("a held object needs a use");
      }
    }
  }

  record Unchanged() implements FinalizerDecision {}

  /**
   * The API server did not answer whether the object is in use: keep the finalizer and ask again.
   *
   * @param question question without an answer
   * @param clause what the answer would show about the object: "pods use"
   * @param message error of the API server, for users
   */
  record Unknown(Question<?> question, String clause, String message)
      implements FinalizerDecision {}

  record ObjectUse(TerminationReason reason, String name, String detail) {}
}
