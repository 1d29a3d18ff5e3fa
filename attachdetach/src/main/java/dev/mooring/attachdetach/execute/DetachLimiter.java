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
  private static final Duration AFTER_ATTACH = Duration.ofSeconds(1);

  // time between idle permits; Kubernetes' 20 requests a second allow fewer detaches
  private static final Duration PACE = Duration.ofMillis(25);

  // one of this many permits is reserved for owners without a permit
  private static final int RESERVED = 4;

  private enum State {
    NEW,
    WAITING,
    GRANTED,
    OVER
  }

  // permission for one detach to send requests
  public final class Permit {
    private final Object owner;
    private boolean awaited;
    private State state = State.NEW;
    private final Runnable retry;
    private Runnable begin = () -> {};

    private Permit(Object owner, boolean awaited, Runnable retry) {
      this.owner = owner;
      this.retry = retry;
      this.awaited = awaited;
    }

    /**
     * Calls {@code begin} when the permit is granted, now or later, on any thread. The callee must
     * call {@link #end}.
     */
    public void whenGranted(Runnable begin) {
      synchronized (DetachLimiter.this) {
        this.begin = begin;
        state = State.WAITING;
        permits.await(owner, this, awaited);
      }
      grantPermits();
    }

    // Retries the detach soon, because a request to the API server failed.
    void retrySoon() {
      retry.run();
    }

    public void prioritize() {
      synchronized (DetachLimiter.this) {
        if (awaited || state != State.WAITING) {
          return;
        }
        awaited = true;
        permits.prioritize(owner, this);
      }
      grantPermits();
    }

    /** Returns the permit. Does nothing if it was returned before. */
    public void end() {
      synchronized (DetachLimiter.this) {
        if (state == State.GRANTED) {
          free++;
          freeForIdle += awaited ? 0 : 1;
          permits.returned(owner);
        }
        state = State.OVER;
      }
      grantPermits();
    }
  }

  private final DetachPermits<Permit> permits = new DetachPermits<>();
  private final Time time;
  private final int reserved;
  private final int maxIdle;
  private int free;
  private int freeForIdle;
  private long slowUntil;
  private long nextIdle;
  private boolean isTimerSet;

  public DetachLimiter(Time time, int width, int maxIdle) {
    this.time = time;
    this.reserved = width / RESERVED;
    this.free = width;
    this.maxIdle = maxIdle;
    this.freeForIdle = maxIdle;
    this.slowUntil = time.nanos();
    this.nextIdle = time.nanos();
  }

  public Permit permit(Object owner, boolean awaited) {
    return permit(owner, awaited, () -> {});
  }

  Permit permit(Object owner, boolean awaited, Runnable retry) {
    return new Permit(owner, awaited, retry);
  }

  synchronized void add(VolumeNode pair, Permit permit) {
    permits.add(pair, permit);
  }

  synchronized void remove(VolumeNode pair, Permit permit) {
    permits.remove(pair, permit);
  }

  void prioritize(VolumeNode pair) {
    Permit permit;
    synchronized (this) {
      permit = permits.find(pair);
    }
    if (permit != null) {
      permit.prioritize();
    }
  }

  public synchronized void makeWay() {
    slowUntil = time.nanos() + AFTER_ATTACH.toNanos();
  }

  private void grantPermits() {
    List<Runnable> begins = new ArrayList<>(1);
    synchronized (this) {
      for (Permit next = nextUrgent(); next != null; next = nextUrgent()) {
        begins.add(grant(next));
      }
      for (Permit next = nextIdle(); next != null; next = nextIdle()) {
        freeForIdle--;
        begins.add(grant(next));
      }
    }
    begins.forEach(Runnable::run);
  }

  private @Nullable Permit nextUrgent() {
    return free > 0 ? permits.grantUrgent(free <= reserved) : null;
  }

  private @Nullable Permit nextIdle() {
    return free > 0 && freeForIdle > 0 && permits.hasIdle(free <= reserved) && isTimeForIdle()
        ? permits.grantIdle(free <= reserved)
        : null;
  }

  private boolean isTimeForIdle() {
    long now = time.nanos();
    if (slowUntil - now > 0) {
      if (freeForIdle < maxIdle) {
        return false; // the end of the running one grants the next
      }
      long tooEarly = nextIdle - now;
      if (tooEarly > 0) {
        grantPermitsAfter(Duration.ofNanos(tooEarly));
        return false;
      }
    }
    nextIdle = now + PACE.toNanos();
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
    free--;
    permit.state = State.GRANTED;
    return permit.begin;
  }
}
