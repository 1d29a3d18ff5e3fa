package dev.mooring.binder.observe;

import dev.mooring.binder.state.RequeueTarget;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;

/**
 * Requeues all objects periodically: claims first, then volumes. A round begins when the period is
 * over and the previous round has ended. It is paced, so that changed objects wait behind few
 * unchanged ones; kube-controller-manager queues all at once. Used by one timer.
 */
public final class PeriodicResync {
  /**
   * Batch size. With the pause between batches this gives 10,000 objects a second: up to 150,000
   * within the default period.
   */
  static final int BATCH_SIZE = 50;

  static final Duration PAUSE = Duration.ofMillis(5);

  private final Duration period;
  private final Time time;
  private final Iterable<ObjectKey> claims;
  private final Iterable<ObjectKey> volumes;
  private final RequeueTarget queues;
  private Iterator<ObjectKey> remainingClaims = Collections.emptyIterator();
  private Iterator<ObjectKey> remainingVolumes = Collections.emptyIterator();
  private long startNanos;

  public PeriodicResync(
      Duration period,
      Time time,
      Iterable<ObjectKey> claims,
      Iterable<ObjectKey> volumes,
      RequeueTarget queues) {
    this.period = period;
    this.time = time;
    this.claims = claims;
    this.volumes = volumes;
    this.queues = queues;
  }

  /** Requeues the next batch; returns the time until the one after it. */
  public Duration requeueBatch() {
    if (isDone()) {
      startNanos = time.nanos();
      remainingClaims = claims.iterator();
      remainingVolumes = volumes.iterator();
    }
    for (int i = 0; i < BATCH_SIZE && !isDone(); i++) {
      if (remainingClaims.hasNext()) {
        queues.requeueClaim(remainingClaims.next());
      } else {
        queues.requeueVolume(remainingVolumes.next());
      }
    }
    return isDone() ? delayUntilNextRound() : PAUSE;
  }

  public void finishRound() {
    do {
      requeueBatch();
    } while (!isDone());
  }

  private boolean isDone() {
    return !remainingClaims.hasNext() && !remainingVolumes.hasNext();
  }

  private Duration delayUntilNextRound() {
    Duration remaining = period.minusNanos(time.nanos() - startNanos);
    return remaining.compareTo(PAUSE) < 0 ? PAUSE : remaining;
  }
}
