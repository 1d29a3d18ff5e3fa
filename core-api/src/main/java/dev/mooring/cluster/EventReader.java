package dev.mooring.cluster;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.List;

/** Reads the events of an object, of any reporter. Thread-safe; blocks. */
@FunctionalInterface
public interface EventReader {
  /**
   * Event stored at the API server.
   *
   * @param uid uid of the event itself
   * @param note "" if absent
   * @param reason "" if absent
   * @param lastSeen last occurrence in seconds since the epoch; 0 if unknown
   */
  record PastEvent(Uid uid, ClusterEvent.Type type, String note, String reason, long lastSeen) {}

  /**
   * Returns the events about the object with the namespace and uid, sorted by event name. Never
   * returns {@link ReadResult.Absent}.
   *
   * @throws InterruptedException if interrupted while waiting
   */
  ReadResult<List<PastEvent>> readEvents(ObjectKey key, Uid uid) throws InterruptedException;

  /**
   * Returns the events about the object. Events about cluster-scoped objects are in namespace
   * {@code default}.
   *
   * @throws InterruptedException if interrupted while waiting
   */
  default ReadResult<List<PastEvent>> readEvents(Resource object) throws InterruptedException {
    ObjectKey key = object.key();
    return readEvents(
        key.namespace().isEmpty() ? new ObjectKey("default", key.name()) : key,
        object.meta().uid());
  }
}
