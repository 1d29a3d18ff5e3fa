package dev.mooring.binder.state;

import dev.mooring.informer.Informer;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;

/**
 * Keys that are due. The queues are fair: a namespace with many or failing claims does not delay
 * other namespaces.
 */
public record BinderQueues(WorkQueue<ObjectKey> claims, WorkQueue<ObjectKey> volumes)
    implements RequeueTarget {
  /**
   * Decisions about claims share one lock: one runs, and a few are prepared. With two in all, a
   * burst of bindings on two busy cores takes 10 % longer, because each waits for a core before the
   * next may begin.
   */
  private static final int MAX_CONCURRENT_DECISIONS = 6;

  public BinderQueues(Informer<Volume> volumes, Time time) {
    this(
        WorkQueue.fair(
            "claims",
            time,
            new Backoff<>(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_CAP),
            ObjectKey::namespace,
            MAX_CONCURRENT_DECISIONS),
        WorkQueue.fair("volumes", time, ServedNamespace.ofVolumes(volumes)));
  }

  @Override
  public void requeueClaim(ObjectKey claim) {
    claims.add(claim);
  }

  @Override
  public void requeueClaimFirst(ObjectKey claim) {
    claims.addExpedited(claim);
  }

  @Override
  public void requeueClaimIfNotBackingOff(ObjectKey claim) {
    claims.addIfNotBackingOff(claim);
  }

  @Override
  public void requeueVolume(ObjectKey volume) {
    volumes.add(volume);
  }
}
