package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.DetachPermits;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits the detaches that send requests to the API server, so that many detaches do not delay
 * attaches. Detaches that another node waits for go first. Of the idle ones only a few run at once,
 * and only one, with a pause after it, while volumes are being attached. Owners, which are
 * namespaces, take turns. An owner that has a permit takes none of the last quarter of all permits,
 * so hanging detaches of one namespace leave permits to others. A waiting permit occupies no
 * thread. Thread-safe.
 */
public final class DetachLimiter {
  private static final Duration SLOW_PERIOD = Duration.ofSeconds(1);

  // time between idle permits; Kubernetes' 20 requests a second allow fewer detaches
  private static final Duration IDLE_PERMIT_INTERVAL = Duration.ofMillis(25);

  // one of this many permits is reserved for owners without a permit
  private static final int RESERVED_SHARE = 4;

  private enum State {
    NEW,
    WAITING,
    GRANTED,
    RELEASED
  }

  // permission for one detach to send requests
  public final class Permit {
    private final Object owner;
    private boolean isAwaited;
    private State state = State.NEW;
    private final Runnable onRetry;
    private Runnable onGrant = () -> {};

    private Permit(Object owner, boolean isAwaited, Runnable onRetry) {
      this.owner = owner;
      this.onRetry = onRetry;
      this.isAwaited = isAwaited;
    }

    /**
     * Calls {@code onGrant} when the permit is granted, now or later, on any thread. The callee
     * must call {@link #release}.
     */
    public void awaitGrant(Runnable onGrant) {
      synchronized (DetachLimiter.this) {
        this.onGrant = onGrant;
        state = State.WAITING;
        permits.enqueue(owner, this, isAwaited);
      }
      grantPermits();
    }

    // Retries the detach soon, because a request to the API server failed.
    void retrySoon() {
      onRetry.run();
    }

    public void prioritize() {
      synchronized (DetachLimiter.this) {
        if (isAwaited || state != State.WAITING) {
          return;
        }
        isAwaited = true;
        permits.prioritize(owner, this);
      }
      grantPermits();
    }

    /** Returns the permit. Does nothing if it was returned before. */
    public void release() {
      synchronized (DetachLimiter.this) {
        if (state == State.GRANTED) {
          freePermits++;
          freeIdlePermits += isAwaited ? 0 : 1;
          permits.removeGranted(owner);
        }
        state = State.RELEASED;
      }
      grantPermits();
    }
  }

  private final DetachPermits<Permit> permits = new DetachPermits<>();
  private final Time time;
  private final int reservedPermits;
  private final int maxIdle;
  private int freePermits;
  private int freeIdlePermits;
  private long slowUntilNanos;
  private long nextIdleNanos;
  private boolean isTimerSet;

  public DetachLimiter(Time time, int maxPermits, int maxIdle) {
    this.time = time;
    this.reservedPermits = maxPermits / RESERVED_SHARE;
    this.freePermits = maxPermits;
    this.maxIdle = maxIdle;
    this.freeIdlePermits = maxIdle;
    this.slowUntilNanos = time.nanos();
    this.nextIdleNanos = time.nanos();
  }

  public Permit createPermit(Object owner, boolean isAwaited) {
    return createPermit(owner, isAwaited, () -> {});
  }

  Permit createPermit(Object owner, boolean isAwaited, Runnable onRetry) {
    return new Permit(owner, isAwaited, onRetry);
  }

  synchronized void add(VolumeNode volumeNode, Permit permit) {
    permits.add(volumeNode, permit);
  }

  synchronized void remove(VolumeNode volumeNode, Permit permit) {
    permits.remove(volumeNode, permit);
  }

  void prioritize(VolumeNode volumeNode) {
    Permit permit;
    synchronized (this) {
      permit = permits.find(volumeNode);
    }
    if (permit != null) {
      permit.prioritize();
    }
  }

  public synchronized void delayIdlePermits() {
    slowUntilNanos = time.nanos() + SLOW_PERIOD.toNanos();
  }

  private void grantPermits() {
    List<Runnable> callbacks = new ArrayList<>(1);
    synchronized (this) {
      for (Permit permit = grantNextUrgent(); permit != null; permit = grantNextUrgent()) {
        callbacks.add(grant(permit));
      }
      for (Permit permit = grantNextIdle(); permit != null; permit = grantNextIdle()) {
        freeIdlePermits--;
        callbacks.add(grant(permit));
      }
    }
    callbacks.forEach(Runnable::run);
  }

  private @Nullable Permit grantNextUrgent() {
    return freePermits > 0 ? permits.grantUrgent(freePermits <= reservedPermits) : null;
  }

  private @Nullable Permit grantNextIdle() {
    return freePermits > 0
            && freeIdlePermits > 0
            && permits.hasIdle(freePermits <= reservedPermits)
            && isTimeForIdle()
        ? permits.grantIdle(freePermits <= reservedPermits)
        : null;
  }

  private boolean isTimeForIdle() {
    long now = time.nanos();
    if (slowUntilNanos - now > 0) {
      if (freeIdlePermits < maxIdle) {
        return false; // the end of the running one grants the next
      }
      long remainingNanos = nextIdleNanos - now;
      if (remainingNanos > 0) {
        grantPermitsAfter(Duration.ofNanos(remainingNanos));
        return false;
      }
    }
    nextIdleNanos = now + IDLE_PERMIT_INTERVAL.toNanos();
    return true;
  }

  private void grantPermitsAfter(Duration delay) {
    if (!isTimerSet) {
      isTimerSet = true;
      time.schedule(
          delay,
          () -> {
            synchronized (this) {
              isTimerSet = false;
            }
            grantPermits();
          });
    }
  }

  private Runnable grant(Permit permit) {
    freePermits--;
    permit.state = State.GRANTED;
    return permit.onGrant;
  }
}
