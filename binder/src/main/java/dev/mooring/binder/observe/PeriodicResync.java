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
  static final int AT_ONCE = 50;

  static final Duration PAUSE = Duration.ofMillis(5);

  private final Duration period;
  private final Time time;
  private final Iterable<ObjectKey> claims;
  private final Iterable<ObjectKey> volumes;
  private final RequeueTarget requeue;
  private Iterator<ObjectKey> claimsLeft = Collections.emptyIterator();
  private Iterator<ObjectKey> volumesLeft = Collections.emptyIterator();
  private long began;

  public PeriodicResync(
      Duration period,
      Time time,
      Iterable<ObjectKey> claims,
      Iterable<ObjectKey> volumes,
      RequeueTarget requeue) {
    this.period = period;
    this.time = time;
    this.claims = claims;
    this.volumes = volumes;
    this.requeue = requeue;
  }

  /** Requeues the next batch; returns the time until the one after it. */
  public Duration step() {
    if (isDone()) {
      began = time.nanos();
      claimsLeft = claims.iterator();
      volumesLeft = volumes.iterator();
    }
    for (int i = 0; i < AT_ONCE && !isDone(); i++) {
      if (claimsLeft.hasNext()) {
        requeue.claim(claimsLeft.next());
      } else {
        requeue.volume(volumesLeft.next());
      }
    }
    return isDone() ? untilNext() : PAUSE;
  }

  public void finish() {
    do {
      step();
    } while (!isDone());
  }

  private boolean isDone() {
    return !claimsLeft.hasNext() && !volumesLeft.hasNext();
  }

  private Duration untilNext() {
    Duration rest = period.minusNanos(time.nanos() - began);
    return rest.compareTo(PAUSE) < 0 ? PAUSE : rest;
  }
}
