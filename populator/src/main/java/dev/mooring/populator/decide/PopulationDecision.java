package dev.mooring.populator.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.time.Duration;

/** Next step of a population. Each step is at most one write. */
public sealed interface PopulationDecision {
  /** Nothing to do for this controller. */
  record Leave() implements PopulationDecision {}

  /** A person must act; reported by an event. The controller checks again after a while. */
  record Wait(PopulationReason reason, String message) implements PopulationDecision {}

  /** Another controller acts next; its write requeues the claim. */
  record Await(PopulationReason reason) implements PopulationDecision {}

  /** Another program acts next, and no watch event follows. */
  record CheckAgain(PopulationReason reason, Duration delay) implements PopulationDecision {}

  record Unanswered(String message) implements PopulationDecision {}

  /** The caches are stale. */
  record Conflict(String message) implements PopulationDecision {}

  record AddFinalizer(Claim claim) implements PopulationDecision {}

  /**
   * Creates the prime claim.
   *
   * @param node selected node; "" for none
   */
  record CreatePrime(Claim claim, String node) implements PopulationDecision {}

  /** Copies another selected node to the prime claim. */
  record PassNode(Claim prime, String node) implements PopulationDecision {}

  /** Removes the selected node, so that the scheduler selects another one. */
  record Reselect(Claim claim) implements PopulationDecision {}

  record CallPopulator(Claim claim, Claim prime, Volume volume) implements PopulationDecision {}

  /**
   * Moves the volume to the user's claim.
   *
   * @param volume the volume as read live
   * @param claim the user's claim as read live
   */
  record Rebind(Volume volume, Claim claim) implements PopulationDecision {}

  /** Deletes a failed pod; another one follows after a back-off. */
  record RestartPod(Claim claim, FillPod pod) implements PopulationDecision {}

  record DeletePod(FillPod pod) implements PopulationDecision {}

  record DeletePrime(Claim prime) implements PopulationDecision {}

  /**
   * Ends the population: calls the populator a last time and removes the finalizer.
   *
   * @param isPopulated whether the claim has the filled volume
   */
  record Finish(Claim claim, boolean isPopulated) implements PopulationDecision {}
}
