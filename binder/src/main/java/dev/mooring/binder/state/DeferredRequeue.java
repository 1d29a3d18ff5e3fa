package dev.mooring.binder.state;

import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys to requeue when the reservations' lock is released, because queues have locks of their own.
 * Not thread-safe: the reservations' lock guards it.
 */
final class DeferredRequeue implements RequeueTarget {
  private static final Runnable NOTHING = () -> {};

  private List<ObjectKey> claims = new ArrayList<>();
  private List<ObjectKey> volumes = new ArrayList<>();

  @Override
  public void requeueClaim(ObjectKey claim) {
    claims.add(claim);
  }

  @Override
  public void requeueVolume(ObjectKey volume) {
    volumes.add(volume);
  }

  /** Returns a task that requeues the keys so far, claims first, and forgets these keys. */
  Runnable drainTo(RequeueTarget target) {
    if (claims.isEmpty() && volumes.isEmpty()) {
      return NOTHING;
    }
    List<ObjectKey> dueClaims = claims;
    List<ObjectKey> dueVolumes = volumes;
    claims = new ArrayList<>();
    volumes = new ArrayList<>();
    return () -> {
      dueClaims.forEach(target::requeueClaim);
      dueVolumes.forEach(target::requeueVolume);
    };
  }
}
