package dev.mooring.binder;

import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Requeues all objects periodically: claims first, then volumes. A round begins when the period is
 * over and the previous round has ended. It is paced, so that changed objects wait behind few
 * unchanged ones; kube-controller-manager queues all at once. Used by one timer.
 */
final class PeriodicResync {
  /**
   * Batch size. With the pause between batches this gives 10,000 objects a second: up to 150,000
   * within the default period.
   */
  static final int AT_ONCE = 50;

  static final Duration PAUSE = Duration.ofMillis(5);

  private final Duration period;
  private final Time time;
  private final KeySource claims;
  private final KeySource volumes;
  private Iterator<ObjectKey> claimsLeft = Collections.emptyIterator();
  private Iterator<ObjectKey> volumesLeft = Collections.emptyIterator();
  private long began;

  record KeySource(Supplier<Iterator<ObjectKey>> all, Consumer<ObjectKey> look) {}

  PeriodicResync(Duration period, Time time, KeySource claims, KeySource volumes) {
    this.period = period;
    this.time = time;
    this.claims = claims;
    this.volumes = volumes;
  }

  Duration step() {
    if (isDone()) {
      began = time.nanos();
      claimsLeft = claims.all().get();
      volumesLeft = volumes.all().get();
    }
    int left = look(claimsLeft, claims, AT_ONCE);
    look(volumesLeft, volumes, left);
    return isDone() ? untilNext() : PAUSE;
  }

  void finish() {
    do {
      step();
    } while (!isDone());
  }

  private boolean isDone() {
    return !claimsLeft.hasNext() && !volumesLeft.hasNext();
  }

  private static int look(Iterator<ObjectKey> left, KeySource part, int atMost) {
    int more = atMost;
    while (more > 0 && left.hasNext()) {
      part.look().accept(left.next());
      more--;
    }
    return more;
  }

  private Duration untilNext() {
    Duration rest = period.minusNanos(time.nanos() - began);
    return rest.compareTo(PAUSE) < 0 ? PAUSE : rest;
  }
}
