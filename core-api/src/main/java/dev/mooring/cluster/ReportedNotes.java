package dev.mooring.cluster;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Last note that was reported about each object, so that a repeated failure causes one event.
 * Thread-safe.
 *
 * @param <K> identity of the objects
 */
public final class ReportedNotes<K> {
  private final Map<K, String> notes = new ConcurrentHashMap<>();

  public ReportedNotes() {}

  /** Remembers the note; returns whether it differs from the last one. */
  public boolean isNew(K object, String note) {
    return !note.equals(notes.put(object, note));
  }

  public void forget(K object) {
    notes.remove(object);
  }
}
