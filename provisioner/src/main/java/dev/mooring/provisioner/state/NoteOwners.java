package dev.mooring.provisioner.state;

import dev.mooring.model.Uid;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Distinguishes notes on claims that this process wrote from notes of an earlier one, whose calls
 * and writes may still run. Thread-safe.
 */
public final class NoteOwners {
  private final Set<Uid> own = ConcurrentHashMap.newKeySet();
  // the API server did not confirm the write of the note, so the cache may show a stale one
  private final Set<Uid> doubtful = ConcurrentHashMap.newKeySet();
  // notes of earlier processes that none of their late writes can remove
  private final Set<Uid> kept = ConcurrentHashMap.newKeySet();

  NoteOwners() {}

  public boolean isOwn(Uid claim) {
    return own.contains(claim);
  }

  public void own(Uid claim) {
    own.add(claim);
  }

  /** Marks any note that appears from now on as another process's. */
  public void disown(Uid claim) {
    if (!isDoubtful(claim)) {
      own.remove(claim);
    }
  }

  public boolean isDoubtful(Uid claim) {
    return doubtful.contains(claim);
  }

  /** Records an unanswered write: a note that appears nevertheless belongs to this process. */
  public void doubt(Uid claim) {
    own.add(claim);
    doubtful.add(claim);
  }

  public void confirm(Uid claim) {
    doubtful.remove(claim);
  }

  /** Returns whether a late write of an earlier process may still remove the note. */
  public boolean isInherited(Uid claim) {
    return !isOwn(claim) && !kept.contains(claim);
  }

  public void keep(Uid claim) {
    kept.add(claim);
  }

  void forget(Uid claim) {
    own.remove(claim);
    doubtful.remove(claim);
    kept.remove(claim);
  }
}
