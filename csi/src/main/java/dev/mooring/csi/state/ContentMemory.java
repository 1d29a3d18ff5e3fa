package dev.mooring.csi.state;

import dev.mooring.model.Uid;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the snapshotter remembers of a content, by uid, until it is deleted. Thread-safe. */
public final class ContentMemory {
  // contents that still have the annotation of a running creation, although it has ended
  private final Set<Uid> endedCreations = ConcurrentHashMap.newKeySet();
  private final Set<Uid> secretsReported = ConcurrentHashMap.newKeySet();
  private final Set<Uid> holdsReported = ConcurrentHashMap.newKeySet();

  public boolean hasCreationEnded(Uid content) {
    return endedCreations.contains(content);
  }

  public void recordCreationEnd(Uid content) {
    endedCreations.add(content);
  }

  // The annotation is up to date.
  public void forgetCreationEnd(Uid content) {
    endedCreations.remove(content);
  }

  // Returns whether an event about the unreadable Secret is due: one until it can be read.
  public boolean recordUnreadableSecret(Uid content) {
    return secretsReported.add(content);
  }

  public void recordReadableSecret(Uid content) {
    secretsReported.remove(content);
  }

  // Returns whether an event about the held deletion is due: one until it is admitted.
  public boolean recordHeldDeletion(Uid content) {
    return holdsReported.add(content);
  }

  public void recordAdmittedDeletion(Uid content) {
    holdsReported.remove(content);
  }

  public void forget(Uid content) {
    endedCreations.remove(content);
    secretsReported.remove(content);
    holdsReported.remove(content);
  }
}
