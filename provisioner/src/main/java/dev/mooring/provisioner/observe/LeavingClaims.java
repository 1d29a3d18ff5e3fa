package dev.mooring.provisioner.observe;

import dev.mooring.model.Claim;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Claims that were being deleted, or went, while they had no volume. What they are bound to all the
 * same, which kube-controller-manager does, was never theirs. Remembered until an hour after they
 * are gone; a volume that was released by then says so itself. Thread-safe.
 */
public final class LeavingClaims {
  private static final Duration REMEMBERED = Duration.ofHours(1);

  private final Time time;
  private final Set<Uid> present = new HashSet<>();
  private final Map<Uid, Long> gone = new LinkedHashMap<>(); // by when they went

  /** Has seen none. */
  public LeavingClaims(Time time) {
    this.time = time;
  }

  /** The claim is there. */
  public void saw(Claim claim) {
    if (claim.meta().isBeingDeleted() && claim.volumeName().isEmpty()) {
      synchronized (this) {
        present.add(claim.meta().uid());
      }
    }
  }

  /** The claim is gone. */
  public synchronized void sawGone(Claim last) {
    long now = time.nanos();
    if (present.remove(last.meta().uid()) || last.volumeName().isEmpty()) {
      gone.put(last.meta().uid(), now);
    }
    Iterator<Long> since = gone.values().iterator();
    while (since.hasNext() && now - since.next() > REMEMBERED.toNanos()) {
      since.remove();
    }
  }

  /** Whether the claim had no volume when it was already being deleted, or went. */
  public synchronized boolean hadNone(Uid claim) {
    return present.contains(claim) || gone.containsKey(claim);
  }
}
