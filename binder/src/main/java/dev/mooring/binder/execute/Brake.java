package dev.mooring.binder.execute;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Stops all destruction of data when there has been unusually much of it: a namespace deleted by
 * mistake then costs some volumes, not all. Once it has stopped, it stays so until somebody who
 * looked resumes. Thread-safe.
 */
public final class Brake {
  /**
   * What is unusual.
   *
   * @param most how many volumes may be destroyed within the window; 0 for any number
   * @param window the window, positive
   */
  public record Limit(int most, Duration window) {
    /** 500 volumes in ten minutes. */
    public static final Limit DEFAULT = new Limit(500, Duration.ofMinutes(10));

    /** No brake. */
    public static final Limit NONE = new Limit(0, Duration.ofMinutes(10));

    public Limit {
      if (most < 0) {
        throw new IllegalArgumentException(
            "--deletion-brake-limit must not be negative, was " + most + ": 0 switches it off");
      }
      if (!window.isPositive()) {
        throw new IllegalArgumentException(
            "--deletion-brake-window must be positive, was " + window.toSeconds() + "s");
      }
    }
  }

  private final Limit limit;
  private final Time time;
  private final ArrayDeque<Long> recent = new ArrayDeque<>();
  private boolean holding;
  private long trips;

  /** A brake that is off. */
  public Brake(Limit limit, Time time) {
    this.limit = limit;
    this.time = time;
  }

  /** Asks to destroy one volume's data; whether that may be. */
  synchronized boolean admit() {
    if (limit.most() == 0) {
      return true;
    }
    if (holding) {
      return false;
    }
    long now = time.nanos();
    while (!recent.isEmpty() && now - recent.peekFirst() >= limit.window().toNanos()) {
      recent.removeFirst();
    }
    if (recent.size() >= limit.most()) {
      holding = true;
      trips++;
      return false;
    }
    recent.addLast(now);
    return true;
  }

  /** In words, for events. */
  String told() {
    return limit.most()
        + " volumes have been destroyed within "
        + limit.window().toMinutes()
        + " min; no more are until somebody resumes";
  }

  /** Whether it holds everything back. */
  public synchronized boolean isHolding() {
    return holding;
  }

  /** How often it has stopped deletions. */
  public synchronized long trips() {
    return trips;
  }

  /** Lets deletions go on, counting from nothing. */
  public synchronized void resume() {
    holding = false;
    recent.clear();
  }
}
