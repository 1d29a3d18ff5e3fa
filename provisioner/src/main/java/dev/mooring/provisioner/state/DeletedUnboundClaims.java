package dev.mooring.provisioner.state;

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
 * Remembers claims that had no volume when their deletion started or ended. kube-controller-manager
 * may still bind them; such a volume was never theirs. Each claim is remembered for one hour after
 * its deletion; by then a released volume has the annotation. Thread-safe.
 */
public final class LeavingClaims {
  private static final Duration REMEMBERED = Duration.ofHours(1);

  private final Time time;
  private final Set<Uid> present = new HashSet<>();
  private final Map<Uid, Long> gone = new LinkedHashMap<>(); // by time of deletion

  public LeavingClaims(Time time) {
    this.time = time;
  }

  public void saw(Claim claim) {
    if (claim.meta().isBeingDeleted() && claim.volumeName().isEmpty()) {
      synchronized (this) {
        present.add(claim.meta().uid());
      }
    }
  }

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

  public synchronized boolean hadNone(Uid claim) {
    return present.contains(claim) || gone.containsKey(claim);
  }
}
