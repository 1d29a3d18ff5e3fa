package dev.mooring.binder.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import java.util.List;

/** What comes next in recycling a volume. */
public sealed interface RecycleDecision {
  /** Nobody knows how to empty such a volume. */
  record NoRecycler() implements RecycleDecision {}

  /** Pods still use it. */
  record InUse(List<ObjectKey> pods) implements RecycleDecision {}

  /** A recycler pod is to be started. */
  record Start() implements RecycleDecision {}

  /** Somebody took the recycler pod away before it was done. */
  record Vanished() implements RecycleDecision {}

  /** The recycler pod is at work, or going. */
  record Wait() implements RecycleDecision {}

  /**
   * A pod of the recycler pod's name that this process knows nothing of: left by an earlier one.
   */
  record Leftover(Pod pod) implements RecycleDecision {}

  /** The volume is clean. */
  record Succeeded(Pod pod) implements RecycleDecision {}

  /** The volume was clean already, and is still to be freed. */
  record Recycled() implements RecycleDecision {}

  /** The recycler pod failed. */
  record Failed(Pod pod) implements RecycleDecision {}
}
