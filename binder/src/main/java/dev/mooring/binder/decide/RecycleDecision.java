package dev.mooring.binder.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import java.util.List;

/** Next step of recycling a volume. */
public sealed interface RecycleDecision {
  record NoRecycler() implements RecycleDecision {}

  record InUse(List<ObjectKey> pods) implements RecycleDecision {}

  record Start() implements RecycleDecision {}

  /** The recycler pod was deleted before it finished. */
  record Vanished() implements RecycleDecision {}

  record Wait() implements RecycleDecision {}

  /** A pod with the recycler pod's name that this process did not create. */
  record Leftover(Pod pod) implements RecycleDecision {}

  record Succeeded(Pod pod) implements RecycleDecision {}

  /** The volume is clean, and its claimRef is still to be removed. */
  record Recycled() implements RecycleDecision {}

  record Failed(Pod pod) implements RecycleDecision {}
}
