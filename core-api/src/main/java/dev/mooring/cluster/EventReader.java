package dev.mooring.cluster;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.List;

/** Reads what others have told of an object. Thread-safe; blocks. */
@FunctionalInterface
public interface EventReader {
  /**
   * An event that is there.
   *
   * @param uid its own uid
   * @param type how much it matters
   * @param note what it says; "" if nothing
   * @param reason its reason, a word; "" for none
   * @param when when it was told last, in seconds since the epoch; 0 if that is not known
   */
  record PastEvent(Uid uid, ClusterEvent.Type type, String note, String reason, long when) {}

  /**
   * The events about the object of that namespace and uid, in the order of their names; never
   * {@link ReadResult.Absent}.
   *
   * @throws InterruptedException if interrupted meanwhile
   */
  ReadResult<List<PastEvent>> about(ObjectKey key, Uid uid) throws InterruptedException;

  /**
   * The same of that object; what is said of one without a namespace is in {@code default}.
   *
   * @throws InterruptedException if interrupted meanwhile
   */
  default ReadResult<List<PastEvent>> about(Resource object) throws InterruptedException {
    ObjectKey key = object.key();
    return about(
        key.namespace().isEmpty() ? new ObjectKey("default", key.name()) : key,
        object.meta().uid());
  }
}
