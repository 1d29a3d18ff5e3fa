package dev.mooring.attachdetach.execute;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many at a time ask the server. Detaches have one, so that a storm of them does not stand
 * in front of every attach. Who has begun goes before those who have not, so that few are under way
 * at once however many wait; else the order is that in which they came. Thread-safe.
 */
public final class Lane {
  private static final Duration FOREVER = Duration.ofDays(1);

  /** A request to the server. */
  @FunctionalInterface
  public interface Request<T> {
    /** Asks. */
    T ask() throws InterruptedException;
  }

  /** One's first turn, which is waited for without a thread. */
  public final class Turn {
    private Turn() {}

    /** Has that called when it is one's turn, now or later; whoever is called must use it. */
    public void whenItComes(Runnable begin) {
      if (!enteredOrFiled(begin, false)) {
        return;
      }
      begin.run();
    }

    /** Asks, now that it is one's turn, and gives the turn back. */
    public <T> T use(Request<T> request) throws InterruptedException {
      try {
        return request.ask();
      } finally {
        leave();
      }
    }
  }

  private static final class Parked {
    private final Time.Signal signal;
    private boolean granted;

    Parked(Time.Signal signal) {
      this.signal = signal;
    }
  }

  private final Time time;
  private final Deque<Runnable> begun = new ArrayDeque<>();
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int free;

  /** A lane for so many at a time. */
  public Lane(int width, Time time) {
    this.free = width;
    this.time = time;
  }

  /** For somebody who has not begun. */
  public Turn turn() {
    return new Turn();
  }

  /** Asks on behalf of somebody who has begun, as soon as a turn is free; blocks until then. */
  public <T> T when(Request<T> request) throws InterruptedException {
    enter();
    try {
      return request.ask();
    } finally {
      leave();
    }
  }

  /** Takes a turn if one is free; else files whom to call when one is. */
  private boolean enteredOrFiled(Runnable granted, boolean hasBegun) {
    synchronized (waiting) {
      if (free > 0) {
        free--;
        return true;
      }
      (hasBegun ? begun : waiting).add(granted);
      return false;
    }
  }

  private void enter() throws InterruptedException {
    Parked parked = new Parked(time.signal());
    Runnable grant = () -> grant(parked);
    if (enteredOrFiled(grant, true)) {
      return;
    }
    try {
      while (!parked.signal.await(() -> isGranted(parked), FOREVER)) {
        // nobody waits for a day, but if so, they go on
      }
    } catch (InterruptedException stopped) {
      boolean filed;
      synchronized (waiting) {
        filed = begun.remove(grant);
      }
      if (!filed) {
        leave(); // the turn has come, or is on its way here
      }
      throw stopped;
    }
  }

  private void grant(Parked parked) {
    synchronized (waiting) {
      parked.granted = true;
    }
    parked.signal.raise();
  }

  private boolean isGranted(Parked parked) {
    synchronized (waiting) {
      return parked.granted;
    }
  }

  private void leave() {
    @Nullable Runnable next;
    synchronized (waiting) {
      next = begun.isEmpty() ? waiting.poll() : begun.poll();
      if (next == null) {
        free++;
        return;
      }
    }
    next.run();
  }
}
