package dev.mooring.storage;

import dev.mooring.cluster.WriteResult;

/** Result of recording an expansion in volume and claim. */
public sealed interface GrowthResult {
  record Written() implements GrowthResult {}

  /**
   * The claim was not written, perhaps the volume neither.
   *
   * @param what attempted write, human-readable
   * @param why result of the write
   */
  record Unwritten(String what, WriteResult<?> why) implements GrowthResult {}
}
