package dev.mooring.attachdetach.execute;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * Lets so many at a time ask the server. Detaches have one, so that a storm of them does not stand
 * in front of every attach. Those that somebody waits for go first; of those that nobody waits for,
 * which are what storms are made of, only a few are under way at once, and while volumes are being
 * attached only one, with a pause after it: a pod waits for an attach, and whatever else asks the
 * server meanwhile makes it wait longer. Else the order is that in which they came. Waiting costs
 * no thread. Thread-safe.
 */
public final class DetachLimiter {
  private static final Duration AFTER_ATTACH = Duration.ofSeconds(1);

  /** From one permit to the next; upstream's 20 requests a second are fewer detaches. */
  private static final Duration PACE = Duration.ofMillis(25);

  private enum State {
    NEW,
    WAITING,
    GRANTED,
    OVER
  }

  /** That one may ask the server: to be granted, had, or given back. */
  public final class Permit {
    private boolean awaited;
    private State state = State.NEW;
    private Runnable begin = () -> {};

    private Permit(boolean awaited) {
      this.awaited = awaited;
    }

    /**
     * Has that called when the permit is granted: now or later, on any thread. Whoever is called
     * must call {@link #end}.
     */
    public void whenGranted(Runnable begin) {
      synchronized (DetachLimiter.this) {
        this.begin = begin;
        state = State.WAITING;
        (awaited ? urgent : others).add(this);
      }
      letIn();
    }

    /** Somebody waits for it after all: it has priority. */
    public void prioritize() {
      synchronized (DetachLimiter.this) {
        if (awaited || state != State.WAITING) {
          return;
        }
        awaited = true;
        others.remove(this);
        urgent.add(this);
      }
      letIn();
    }

    /** Gives the permit back; nothing if that is done already. */
    public void end() {
      synchronized (DetachLimiter.this) {
        if (state == State.GRANTED) {
          free++;
          freeForOthers += awaited ? 0 : 1;
        }
        state = State.OVER;
      }
      letIn();
    }
  }

  private final SequencedSet<Permit> urgent = new LinkedHashSet<>();
  private final SequencedSet<Permit> others = new LinkedHashSet<>();
  private final Time time;
  private final int mostOthers;
  private int free;
  private int freeForOthers;
  private long makeWayUntil;
  private long nextAtThatPace;
  private boolean timed; // a timer will let others in

  /**
   * A limiter for so many at a time.
   *
   * @param others how many of them may be such that nobody waits for
   */
  public DetachLimiter(Time time, int width, int others) {
    this.time = time;
    this.free = width;
    this.mostOthers = others;
    this.freeForOthers = others;
    this.makeWayUntil = time.nanos();
    this.nextAtThatPace = time.nanos();
  }

  /** A permit to come, for what somebody waits for, or nobody. */
  public Permit permit(boolean awaited) {
    return new Permit(awaited);
  }

  /** A volume is being attached: for a second, permits that nobody waits for make way. */
  public synchronized void makeWay() {
    makeWayUntil = time.nanos() + AFTER_ATTACH.toNanos();
  }

  private void letIn() {
    List<Runnable> begins = new ArrayList<>(1);
    synchronized (this) {
      while (free > 0 && !urgent.isEmpty()) {
        begins.add(grant(urgent.removeFirst()));
      }
      while (free > 0 && freeForOthers > 0 && !others.isEmpty() && isTimeForOthers()) {
        freeForOthers--;
        begins.add(grant(others.removeFirst()));
      }
    }
    begins.forEach(Runnable::run);
  }

  private boolean isTimeForOthers() {
    long now = time.nanos();
    if (makeWayUntil - now > 0) {
      if (freeForOthers < mostOthers) {
        return false; // whose end will let the next one in
      }
      long tooEarly = nextAtThatPace - now;
      if (tooEarly > 0) {
        letInAfter(Duration.ofNanos(tooEarly));
        return false;
      }
    }
    nextAtThatPace = now + PACE.toNanos();
    return true;
  }

  private void letInAfter(Duration delay) {
    if (!timed) {
      timed = true;
      time.schedule(
          delay,
          () -> {
            synchronized (this) {
              timed = false;
            }
            letIn();
          });
    }
  }

  private Runnable grant(Permit permit) {
    free--;
    permit.state = State.GRANTED;
    return permit.begin;
  }
}
