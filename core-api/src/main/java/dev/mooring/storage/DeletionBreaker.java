package dev.mooring.storage;

import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Stops all destruction of data when there has been unusually much of it: a namespace deleted by
 * mistake then costs some volumes, not all. It counts volumes that were destroyed, each once,
 * however often that was tried; attempts that failed do not count. Once it has stopped, it stays so
 * until somebody who looked resumes. Thread-safe.
 *
 * <p>Whoever destroys a volume asks {@link #admit} first and says afterwards how it ended: {@link
 * #destroyed} or {@link #spared}.
 */
public final class DeletionBreaker {
  private static final System.Logger LOG = System.getLogger(DeletionBreaker.class.getName());

  /** Whether a volume may be destroyed. */
  public enum Admission {
    /** It may. */
    GRANTED,
    /**
     * Not now: so many are being destroyed that, if all of them are, the limit is reached. Ask
     * again soon.
     */
    FULL,
    /** No volume may, until somebody resumes. */
    HELD
  }

  private final int most;
  private final Duration window;
  private final Time time;
  private final Map<Uid, Long> destroyed = new LinkedHashMap<>(); // the first that went, first
  private final Set<Uid> going = new HashSet<>();
  private boolean holding;
  private long trips;

  /**
   * A circuit breaker that holds nothing back yet.
   *
   * @param most how many volumes may be destroyed within the window; 0 for any number
   * @param window the window, positive
   * @param time the clock
   */
  public DeletionBreaker(int most, Duration window, Time time) {
    this.most = most;
    this.window = window;
    this.time = time;
  }

  /** Asks to destroy one volume's data. Trying the same volume once more is no further one. */
  public synchronized Admission admit(Uid volume) {
    if (most == 0) {
      return Admission.GRANTED;
    }
    if (holding) {
      return Admission.HELD;
    }
    expire();
    if (destroyed.containsKey(volume) || going.contains(volume)) {
      return Admission.GRANTED;
    }
    if (destroyed.size() >= most) {
      trip();
      return Admission.HELD;
    }
    if (destroyed.size() + going.size() >= most) {
      return Admission.FULL;
    }
    going.add(volume);
    return Admission.GRANTED;
  }

  private void expire() {
    long now = time.nanos();
    Iterator<Long> oldest = destroyed.values().iterator();
    while (oldest.hasNext() && now - oldest.next() >= window.toNanos()) {
      oldest.remove();
    }
  }

  private void trip() {
    holding = true;
    trips++;
    LOG.log(
        Level.WARNING,
        () ->
            told()
                + " (--deletion-brake-limit, --deletion-brake-window). See that they are meant to"
                + " go, then: mooring resume-deletions");
  }

  /** The volume's data is gone. */
  public synchronized void destroyed(Uid volume) {
    going.remove(volume);
    if (most != 0) {
      destroyed.putIfAbsent(volume, time.nanos());
    }
  }

  /** The attempt has ended, and the volume's data was not destroyed. */
  public synchronized void spared(Uid volume) {
    going.remove(volume);
  }

  /** In words, for events. */
  public synchronized String told() {
    return destroyed.size()
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
    destroyed.clear();
  }
}
