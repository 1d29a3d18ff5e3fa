package dev.mooring.binder.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import java.util.List;

public sealed interface RecycleDecision {
  record NoRecycler() implements RecycleDecision {}

  record InUse(List<ObjectKey> pods) implements RecycleDecision {}

  record Start() implements RecycleDecision {}

  record Vanished() implements RecycleDecision {}

  record Wait() implements RecycleDecision {}

  record Leftover(Pod pod) implements RecycleDecision {}

  record Succeeded(Pod pod) implements RecycleDecision {}

  record Recycled() implements RecycleDecision {}

  record Failed(Pod pod) implements RecycleDecision {}
}
