package dev.mooring.protection.decide;

import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.Resource;
import java.util.function.Function;

/**
 * Rule that decides whether an object must be kept, for one state of the caches. The protection
 * controller and the explainers share it.
 *
 * @param <T> type of the objects
 */
@FunctionalInterface
public interface FinalizerRule<T extends Resource> {
  /**
   * Prepares the decision for one object. Reads the caches once, however often the decision is then
   * repeated: a claim may have thousands of pods.
   *
   * @return the decision as a function of the live answers so far
   */
  Function<LiveFacts, Step<FinalizerDecision>> prepare(T object);

  default Step<FinalizerDecision> decide(T object, LiveFacts live) {
    return prepare(object).apply(live);
  }
}
