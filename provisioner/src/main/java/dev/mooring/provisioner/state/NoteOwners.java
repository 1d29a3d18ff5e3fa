package dev.mooring.provisioner.state;

import dev.mooring.model.Uid;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Distinguishes notes on claims that this process wrote from notes of an earlier one, whose calls
 * and writes may still run. Thread-safe.
 */
public final class NoteOwners {
  private final Set<Uid> ownNotes = ConcurrentHashMap.newKeySet();
  // the API server did not confirm the write of the note, so the cache may show a stale one
  private final Set<Uid> doubtful = ConcurrentHashMap.newKeySet();
  // notes of earlier processes that none of their late writes can remove
  private final Set<Uid> protectedNotes = ConcurrentHashMap.newKeySet();

  NoteOwners() {}

  public boolean isOwn(Uid claim) {
    return ownNotes.contains(claim);
  }

  public void markOwn(Uid claim) {
    ownNotes.add(claim);
  }

  /** Marks any note that appears from now on as another process's. */
  public void disown(Uid claim) {
    if (!isDoubtful(claim)) {
      ownNotes.remove(claim);
    }
  }

  public boolean isDoubtful(Uid claim) {
    return doubtful.contains(claim);
  }

  /** Records an unanswered write: a note that appears nevertheless belongs to this process. */
  public void doubt(Uid claim) {
    ownNotes.add(claim);
    doubtful.add(claim);
  }

  public void confirm(Uid claim) {
    doubtful.remove(claim);
  }

  /** Returns whether a late write of an earlier process may still remove the note. */
  public boolean isInherited(Uid claim) {
    return !isOwn(claim) && !protectedNotes.contains(claim);
  }

  public void markProtected(Uid claim) {
    protectedNotes.add(claim);
  }

  void forget(Uid claim) {
    ownNotes.remove(claim);
    doubtful.remove(claim);
    protectedNotes.remove(claim);
  }
}
