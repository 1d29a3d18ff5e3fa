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
public final class DeletedUnboundClaims {
  private static final Duration REMEMBERED = Duration.ofHours(1);

  private final Time time;
  private final Set<Uid> deletingClaims = new HashSet<>();
  private final Map<Uid, Long> deletionTimes = new LinkedHashMap<>(); // by time of deletion

  public DeletedUnboundClaims(Time time) {
    this.time = time;
  }

  public void recordClaim(Claim claim) {
    if (claim.meta().isBeingDeleted() && claim.volumeName().isEmpty()) {
      synchronized (this) {
        deletingClaims.add(claim.meta().uid());
      }
    }
  }

  public synchronized void recordDeletion(Claim last) {
    long now = time.nanos();
    if (deletingClaims.remove(last.meta().uid()) || last.volumeName().isEmpty()) {
      deletionTimes.put(last.meta().uid(), now);
    }
    Iterator<Long> times = deletionTimes.values().iterator();
    while (times.hasNext() && now - times.next() > REMEMBERED.toNanos()) {
      times.remove();
    }
  }

  public synchronized boolean hadNoVolume(Uid claim) {
    return deletingClaims.contains(claim) || deletionTimes.containsKey(claim);
  }
}
