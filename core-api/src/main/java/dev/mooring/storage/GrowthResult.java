package dev.mooring.storage;

import dev.mooring.cluster.WriteResult;

/** What became of writing down that a volume has grown. */
public sealed interface GrowthResult {
  /** Volume and claim say it. */
  record Written() implements GrowthResult {}

  /**
   * The claim does not say it, and perhaps the volume does not either.
   *
   * @param what what was being written, for people
   * @param why what came of the write
   */
  record Unwritten(String what, WriteResult<?> why) implements GrowthResult {}
}
