package dev.mooring.storage;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Volume;

/** What became of writing down that a volume has grown. */
public sealed interface GrowthResult {
  /** Volume and claim say it. */
  record Written() implements GrowthResult {}

  /**
   * Neither says it.
   *
   * @param why what came of the write
   */
  record VolumeUnwritten(WriteResult<Volume> why) implements GrowthResult {}

  /**
   * The volume says it, the claim does not.
   *
   * @param why what came of the write
   */
  record ClaimUnwritten(WriteResult<Claim> why) implements GrowthResult {}
}
