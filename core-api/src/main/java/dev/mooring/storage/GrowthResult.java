package dev.mooring.storage;

import dev.mooring.cluster.WriteResult;

/** Result of recording that a volume has grown. */
public sealed interface GrowthResult {
  /** Volume and claim record the new size. */
  record Written() implements GrowthResult {}

  /**
   * The claim was not written, perhaps the volume neither.
   *
   * @param what attempted write, human-readable
   * @param why result of the write
   */
  record Unwritten(String what, WriteResult<?> why) implements GrowthResult {}
}
