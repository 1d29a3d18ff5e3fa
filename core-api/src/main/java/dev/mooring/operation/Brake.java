package dev.mooring.operation;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Stops all destruction of data when there has been unusually much of it: a namespace deleted by
 * mistake then costs some volumes, not all. Once it has stopped, it stays so until somebody who
 * looked resumes. Thread-safe.
 */
public final class Brake {
  private final int most;
  private final Duration window;
  private final Time time;
  private final ArrayDeque<Long> recent = new ArrayDeque<>();
  private boolean holding;
  private long trips;

  /**
   * A brake that holds nothing back yet.
   *
   * @param most how many volumes may be destroyed within the window; 0 for any number
   * @param window the window, positive
   * @param time the clock
   */
  public Brake(int most, Duration window, Time time) {
    this.most = most;
    this.window = window;
    this.time = time;
  }

  /** Asks to destroy one volume's data; whether that may be. */
  public synchronized boolean admit() {
    if (most == 0) {
      return true;
    }
    if (holding) {
      return false;
    }
    long now = time.nanos();
    while (!recent.isEmpty() && now - recent.peekFirst() >= window.toNanos()) {
      recent.removeFirst();
    }
    if (recent.size() >= most) {
      holding = true;
      trips++;
      return false;
    }
    recent.addLast(now);
    return true;
  }

  /** In words, for events. */
  public String told() {
    return most
        + " volumes have been destroyed within "
        + window.toMinutes()
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
