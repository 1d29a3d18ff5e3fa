package dev.mooring.storage;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.SavedVerdict;

/** What became of a volume that was to be saved. */
public sealed interface SaveResult {
  /** The server has it. */
  record Saved() implements SaveResult {}

  /**
   * The attempts have failed, and all the same the server has a volume of that name: one whose
   * answer was lost has saved it. It is kept.
   *
   * @param last how the last attempt ended
   */
  record Found(WriteResult<Volume> last) implements SaveResult {}

  /**
   * Another volume has its name. The storage keeps what it made: the other volume may stand for the
   * same storage.
   */
  record NameTaken(SavedVerdict.NameTaken verdict) implements SaveResult {}

  /**
   * The attempts have failed, and the server does not say whether it has the volume. It is kept.
   *
   * @param last how the last attempt ended
   * @param why what the server said instead
   */
  record Unknown(WriteResult<Volume> last, String why) implements SaveResult {}

  /**
   * The attempts have failed, the server does not have it, and it was destroyed as far as that was
   * possible.
   *
   * @param last how the last attempt ended
   */
  record Unsaved(WriteResult<Volume> last) implements SaveResult {}
}
