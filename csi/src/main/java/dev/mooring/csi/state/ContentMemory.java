package dev.mooring.csi.state;

import dev.mooring.model.Uid;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the snapshotter remembers of a content, by uid, until it is deleted. Thread-safe. */
public final class ContentMemory {
  // contents whose annotation still says that a creation may run, though it has ended
  private final Set<Uid> ended = ConcurrentHashMap.newKeySet();
  private final Set<Uid> secretsReported = ConcurrentHashMap.newKeySet();
  private final Set<Uid> holdsReported = ConcurrentHashMap.newKeySet();

  public boolean hasEnded(Uid content) {
    return ended.contains(content);
  }

  public void creationEnded(Uid content) {
    ended.add(content);
  }

  // The annotation is up to date.
  public void creationRecorded(Uid content) {
    ended.remove(content);
  }

  // Returns whether an event about the unreadable Secret is due: one until it can be read.
  public boolean secretUnread(Uid content) {
    return secretsReported.add(content);
  }

  public void secretRead(Uid content) {
    secretsReported.remove(content);
  }

  // Returns whether an event about the held deletion is due: one until it is admitted.
  public boolean deletionHeld(Uid content) {
    return holdsReported.add(content);
  }

  public void deletionAdmitted(Uid content) {
    holdsReported.remove(content);
  }

  public void forget(Uid content) {
    ended.remove(content);
    secretsReported.remove(content);
    holdsReported.remove(content);
  }
}
