package dev.mooring.manager.grow;

import dev.mooring.model.Claim;
import dev.mooring.model.Uid;
import java.util.Optional;

/** One step of a growth. Each can be repeated after an interruption. */
public sealed interface GrowthStep {
  record GrowClaim(Claim claim) implements GrowthStep {}

  /**
   * Saves the StatefulSet in the ConfigMap.
   *
   * @param overwritten an earlier version of the ConfigMap
   */
  record SaveStatefulSet(SavedStatefulSet saved, Optional<SavedStatefulSet.Location> overwritten)
      implements GrowthStep {}

  record DeleteStatefulSet(Uid uid, long version) implements GrowthStep {}

  /** Waits until the garbage collector has released the pods and the StatefulSet is gone. */
  record AwaitDeletion() implements GrowthStep {}

  record CreateStatefulSet(SavedStatefulSet saved) implements GrowthStep {}

  /** Gives the fields back to their managers and deletes the ConfigMap. */
  record FinishStatefulSet(SavedStatefulSet saved) implements GrowthStep {}
}
