package dev.mooring.protection.decide;

import dev.mooring.live.LiveFacts;
import dev.mooring.model.Resource;

/**
 * What keeps objects of one kind, made of what the caches have at one moment. The controller that
 * lets them go and whoever explains why they stay ask the same one.
 *
 * @param <T> the objects
 */
@FunctionalInterface
public interface FinalizerRule<T extends Resource> {
  /**
   * What becomes of the object's finalizer.
   *
   * @param live what the server has said so far; more is asked for with {@link
   *     FinalizerDecision.Ask}
   */
  FinalizerDecision decide(T object, LiveFacts live);
}
