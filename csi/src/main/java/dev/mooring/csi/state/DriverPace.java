package dev.mooring.csi.state;

import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.time.Time;
import dev.mooring.workqueue.LaneGate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Adapts the calls to one driver to what it accepts, so that operators need not tune the number of
 * workers. {@code RESOURCE_EXHAUSTED} and {@code UNAVAILABLE} limit the rate of a kind of calls,
 * {@code DEADLINE_EXCEEDED} and {@code ABORTED} their number. Less important calls yield first.
 * Thread-safe.
 */
public final class DriverPace {
  /** Kinds of calls, the most important first. */
  public enum Lane {
    ATTACH("ControllerPublishVolume"),
    PROVISION("CreateVolume"),
    DETACH("ControllerUnpublishVolume"),
    DELETE("DeleteVolume");

    private static final List<Lane> ALL = List.of(values());

    private final String method;

    Lane(String method) {
      this.method = method;
    }

    public static List<Lane> all() {
      return ALL;
    }

    /** Returns the lane of a call; empty if its calls are not limited. */
    public static Optional<Lane> of(String method) {
      return ALL.stream().filter(lane -> lane.method.equals(method)).findAny();
    }

    public String method() {
      return method;
    }
  }

  public record Limit(Lane lane, double callsPerSecond, double concurrency) {
    @Override
    public String toString() {
      String number = "at most %.0f at once".formatted(concurrency);
      String rate = "%.1f per second".formatted(callsPerSecond);
      return Double.isInfinite(callsPerSecond)
          ? number
          : Double.isInfinite(concurrency) ? rate : rate + ", " + number;
    }
  }

  private static final double SLOW_FACTOR = 0.5;
  private static final double CONFLICT_FACTOR = 0.9;
  private static final double ACTIVE_SECONDS = 1;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double SHORTEST_WAIT_SECONDS = 0.001;

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final LanePace[] paces = new LanePace[Lane.ALL.size()];
  private final List<Runnable> callbacks = new CopyOnWriteArrayList<>();
  private double nextWake = LanePace.UNLIMITED;
  private Time.Cancellable wakeTimer = () -> {};

  public DriverPace(Time time) {
    this.time = time;
    Arrays.setAll(paces, lane -> new LanePace());
  }

  // Keys in process still count.
  public void reset() {
    lock.lock();
    try {
      Arrays.setAll(paces, lane -> paces[lane].withoutLimits());
    } finally {
      lock.unlock();
    }
  }

  private double now() {
    return time.nanos() / NANOS_PER_SECOND;
  }

  private LanePace pace(Lane lane) {
    return paces[lane.ordinal()];
  }

  /**
   * Returns the gate of a queue whose keys cause calls. No other queue may use the same lanes.
   *
   * @param lanes lanes of the queue, the most important first
   * @param laneOf returns the lane of a key
   */
  public <K> LaneGate<K> gate(List<Lane> lanes, Function<K, Lane> laneOf) {
    return new LaneGate<>() {
      @Override
      public int laneCount() {
        return lanes.size();
      }

      @Override
      public int laneOf(K key) {
        return lanes.indexOf(laneOf.apply(key));
      }

      @Override
      public boolean tryEnter(int lane) {
        return DriverPace.this.tryEnter(lanes.get(lane));
      }

      @Override
      public void leave(int lane) {
        DriverPace.this.leave(lanes.get(lane));
      }

      @Override
      public void onRoom(Runnable callback) {
        callbacks.add(callback);
      }
    };
  }

  /** Returns the gate of a queue of VolumeAttachments. A deleted one is detached. */
  public LaneGate<ObjectKey> attachmentGate(Informer<Attachment> attachments) {
    return gate(
        List.of(Lane.ATTACH, Lane.DETACH),
        key ->
            attachments.get(key).filter(found -> found.meta().isBeingDeleted()).isPresent()
                ? Lane.DETACH
                : Lane.ATTACH);
  }

  boolean tryEnter(Lane lane) {
    lock.lock();
    try {
      boolean hasEntered = pace(lane).tryEnter(now());
      if (!hasEntered) {
        scheduleWake(pace(lane).computeWait());
      }
      return hasEntered;
    } finally {
      lock.unlock();
    }
  }

  void leave(Lane lane) {
    lock.lock();
    try {
      pace(lane).leave();
    } finally {
      lock.unlock();
    }
  }

  private void scheduleWake(double seconds) {
    double wake = now() + Math.max(seconds, SHORTEST_WAIT_SECONDS);
    if (wake == LanePace.UNLIMITED || nextWake - wake < SHORTEST_WAIT_SECONDS) {
      return;
    }
    wakeTimer.cancel();
    nextWake = wake;
    long nanos = (long) Math.ceil((wake - now()) * NANOS_PER_SECOND);
    wakeTimer = time.schedule(Duration.ofNanos(nanos), this::wake);
  }

  private void wake() {
    lock.lock();
    try {
      nextWake = LanePace.UNLIMITED; // a lane that still waits sets it again
    } finally {
      lock.unlock();
    }
    callbacks.forEach(Runnable::run);
  }

  public void startCall(Lane lane) {
    lock.lock();
    try {
      pace(lane).startCall(now());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records the result of a call.
   *
   * @return the limit, if it began with this result
   */
  public Optional<Limit> endCall(Lane lane, StatusCode code) {
    lock.lock();
    try {
      LanePace pace = pace(lane);
      boolean wasLimited = pace.isLimited();
      record(lane, pace, code);
      return wasLimited || !pace.isLimited() ? Optional.empty() : Optional.of(limit(lane));
    } finally {
      lock.unlock();
    }
  }

  private void record(Lane lane, LanePace pace, StatusCode code) {
    double now = now();
    switch (code) {
      case OK -> pace.recordAccepted(now);
      case RESOURCE_EXHAUSTED, UNAVAILABLE -> throttle(lane, now);
      case DEADLINE_EXCEEDED -> pace.recordConflict(now, SLOW_FACTOR);
      case ABORTED -> pace.recordConflict(now, CONFLICT_FACTOR);
      default -> pace.recordOther();
    }
  }

  private void throttle(Lane lane, double now) {
    LanePace pace = pace(lane);
    pace.recordThrottled(now);
    boolean isThrottled = pace.isThrottled(now);
    findLessImportant(lane, now)
        .filter(other -> isThrottled || other.isLimited() && !pace.isSaturated(now))
        .ifPresent(other -> other.leaveRoom(now));
    if (isThrottled || pace.isLimited()) {
      pace.followDriver(now, isMoreImportantActive(lane, now));
    }
  }

  private boolean isMoreImportantActive(Lane lane, double now) {
    return Lane.ALL.stream()
        .anyMatch(
            other -> other.compareTo(lane) < 0 && pace(other).hasCalledSince(now - ACTIVE_SECONDS));
  }

  // Backends often have one limit for all kinds of calls.
  private Optional<LanePace> findLessImportant(Lane lane, double now) {
    return Lane.ALL.reversed().stream()
        .filter(other -> other.compareTo(lane) > 0)
        .map(this::pace)
        .filter(other -> other.hasCalledSince(now - ACTIVE_SECONDS))
        .findFirst();
  }

  private Limit limit(Lane lane) {
    return new Limit(lane, pace(lane).rate(), pace(lane).concurrency());
  }

  public boolean isWaiting() {
    lock.lock();
    try {
      return nextWake < LanePace.UNLIMITED;
    } finally {
      lock.unlock();
    }
  }

  public List<Limit> limits() {
    lock.lock();
    try {
      double now = now();
      return Lane.ALL.stream()
          .filter(lane -> pace(lane).isLimitedAt(now))
          .map(this::limit)
          .toList();
    } finally {
      lock.unlock();
    }
  }
}
