package dev.mooring.attachdetach.execute;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Lets so many at a time ask the server, in the order in which they came. Detaches have one, so
 * that a storm of them does not stand in front of every attach. Thread-safe.
 */
public final class Lane {
  private static final Duration FOREVER = Duration.ofDays(1);

  /** A request to the server. */
  @FunctionalInterface
  public interface Request<T> {
    /** Asks. */
    T ask() throws InterruptedException;
  }

  private static final class Turn {
    private final Time.Signal signal;
    private boolean granted;

    Turn(Time.Signal signal) {
      this.signal = signal;
    }
  }

  private final Time time;
  private final Deque<Turn> waiting = new ArrayDeque<>();
  private int free;

  /** A lane for so many at a time. */
  public Lane(int width, Time time) {
    this.free = width;
    this.time = time;
  }

  /** Asks when it is the caller's turn. */
  public <T> T when(Request<T> request) throws InterruptedException {
    enter();
    try {
      return request.ask();
    } finally {
      leave();
    }
  }

  private void enter() throws InterruptedException {
    Turn turn;
    synchronized (waiting) {
      if (free > 0) {
        free--;
        return;
      }
      turn = new Turn(time.signal());
      waiting.add(turn);
    }
    try {
      while (!turn.signal.await(() -> isGranted(turn), FOREVER)) {
        // nobody waits for a day, but if so, they go on
      }
    } catch (InterruptedException stopped) {
      synchronized (waiting) {
        waiting.remove(turn);
      }
      if (isGranted(turn)) {
        leave();
      }
      throw stopped;
    }
  }

  private boolean isGranted(Turn turn) {
    synchronized (waiting) {
      return turn.granted;
    }
  }

  private void leave() {
    Turn next;
    synchronized (waiting) {
      next = waiting.poll();
      if (next == null) {
        free++;
        return;
      }
      next.granted = true;
    }
    next.signal.raise();
  }
}
