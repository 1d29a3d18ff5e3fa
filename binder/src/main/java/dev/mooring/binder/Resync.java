package dev.mooring.binder;

import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Has everything looked at again: claims first, then volumes. A round begins when the period is
 * over and the one before is through. It goes at a pace, so that what has changed meanwhile waits
 * behind few of those that have not: kube-controller-manager queues all at once. Used by one timer.
 */
final class Resync {
  /** Together with the pause, 10,000 objects a second: up to 150,000 within the usual period. */
  static final int AT_ONCE = 50;

  static final Duration PAUSE = Duration.ofMillis(5);

  private final Duration period;
  private final Time time;
  private final Part claims;
  private final Part volumes;
  private Iterator<ObjectKey> claimsLeft = Collections.emptyIterator();
  private Iterator<ObjectKey> volumesLeft = Collections.emptyIterator();
  private long began;

  /**
   * Objects of a kind.
   *
   * @param all the keys of those that are there now
   * @param look has one looked at
   */
  record Part(Supplier<Iterator<ObjectKey>> all, Consumer<ObjectKey> look) {}

  Resync(Duration period, Time time, Part claims, Part volumes) {
    this.period = period;
    this.time = time;
    this.claims = claims;
    this.volumes = volumes;
  }

  /** Goes on with a round, or begins one; after what time it has to go on. */
  Duration step() {
    if (isThrough()) {
      began = time.nanos();
      claimsLeft = claims.all().get();
      volumesLeft = volumes.all().get();
    }
    int left = look(claimsLeft, claims, AT_ONCE);
    look(volumesLeft, volumes, left);
    return isThrough() ? untilNext() : PAUSE;
  }

  /** Goes through what is left of a round, or through a whole one, at no pace. */
  void finish() {
    do {
      step();
    } while (!isThrough());
  }

  private boolean isThrough() {
    return !claimsLeft.hasNext() && !volumesLeft.hasNext();
  }

  private static int look(Iterator<ObjectKey> left, Part part, int atMost) {
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
