package dev.mooring.populator.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.time.Duration;

/**
 * Next step of a population. Each step is at most one write.
 *
 * <p>{@link Wait} is for a person, who gets an event. After {@link Await} the write of another
 * controller requeues the claim; after {@link CheckAgain} no watch event follows. {@link Conflict}
 * means that the caches are stale. {@link Reselect} removes the selected node, so that the
 * scheduler selects again, {@link ForgetNode} permits the same node again, and {@link PassNode}
 * copies the selected node to the prime claim. {@link Rebind} moves the volume, and has the objects
 * as read live. {@link Finish} calls the populator a last time and removes the finalizer.
 */
public sealed interface PopulationDecision {
  record Leave() implements PopulationDecision {}

  record Wait(PopulationReason reason, String message) implements PopulationDecision {}

  record Await(PopulationReason reason) implements PopulationDecision {}

  record CheckAgain(PopulationReason reason, Duration delay) implements PopulationDecision {}

  record Unanswered(String message) implements PopulationDecision {}

  record Conflict(String message) implements PopulationDecision {}

  record AddFinalizer(Claim claim) implements PopulationDecision {}

  record CreatePrime(Claim claim, String node) implements PopulationDecision {}

  record PassNode(Claim prime, String node) implements PopulationDecision {}

  record Reselect(Claim claim) implements PopulationDecision {}

  record ForgetNode(Claim prime) implements PopulationDecision {}

  record CallPopulator(Claim claim, Claim prime, Volume volume) implements PopulationDecision {}

  record Rebind(Volume volume, Claim claim) implements PopulationDecision {}

  record RestartPod(Claim claim, FillPod pod) implements PopulationDecision {}

  record DeletePod(FillPod pod) implements PopulationDecision {}

  record DeletePrime(Claim prime) implements PopulationDecision {}

  record Finish(Claim claim, boolean isPopulated) implements PopulationDecision {}
}
