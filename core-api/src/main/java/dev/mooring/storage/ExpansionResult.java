package dev.mooring.storage;

import dev.mooring.cluster.WriteResult;

/** Result of recording an expansion in volume and claim. */
public sealed interface ExpansionResult {
  record Written() implements ExpansionResult {}

  record Unwritten(String action, WriteResult<?> result) implements ExpansionResult {}
}
