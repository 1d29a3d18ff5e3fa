package dev.mooring.storage;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.SavedVerdict;

/** Result of creating a provisioned volume's object. */
public sealed interface SaveResult {
  record Saved() implements SaveResult {}

  /**
   * The attempts failed, but the object exists: an attempt whose response was lost has created it.
   * The volume is kept.
   *
   * @param last result of the last attempt
   */
  record Found(WriteResult<Volume> last) implements SaveResult {}

  /**
   * Another volume has the name. The provisioned storage is kept, because the other object may
   * represent it.
   */
  record NameTaken(SavedVerdict.NameTaken verdict) implements SaveResult {}

  /**
   * The attempts failed, and a read did not show whether the object exists. The volume is kept.
   *
   * @param last result of the last attempt
   * @param message error of the read
   */
  record Unknown(WriteResult<Volume> last, String message) implements SaveResult {}

  /**
   * The attempts failed and the object does not exist. The storage was deleted as far as possible.
   *
   * @param last result of the last attempt
   */
  record Unsaved(WriteResult<Volume> last) implements SaveResult {}
}
