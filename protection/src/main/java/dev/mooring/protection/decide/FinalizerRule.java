package dev.mooring.protection.decide;

import dev.mooring.live.LiveFacts;
import dev.mooring.model.Resource;
import java.util.function.Function;

/**
 * What keeps objects of one kind, made of what the caches have at one moment. The controller that
 * lets them go and whoever explains why they stay ask the same one.
 *
 * @param <T> the objects
 */
@FunctionalInterface
public interface FinalizerRule<T extends Resource> {
  /**
   * The rule for one object. What the caches have of it is looked at once, however often it is
   * decided then: a claim may have thousands of pods.
   *
   * @return what becomes of its finalizer, by what the server has said so far; more is asked for
   *     with {@link FinalizerDecision.Ask}
   */
  Function<LiveFacts, FinalizerDecision> of(T object);

  /** What becomes of the object's finalizer, where that is decided once. */
  default FinalizerDecision decide(T object, LiveFacts live) {
    return of(object).apply(live);
  }
}
