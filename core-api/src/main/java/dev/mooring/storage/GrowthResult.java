package dev.mooring.storage;

import dev.mooring.cluster.WriteResult;

/** Result of recording an expansion in volume and claim. */
public sealed interface GrowthResult {
  record Written() implements GrowthResult {}

  record Unwritten(String what, WriteResult<?> why) implements GrowthResult {}
}
