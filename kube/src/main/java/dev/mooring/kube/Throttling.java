package dev.mooring.kube;

import dev.mooring.kube.wire.Bodies;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whom a server's plea for patience concerns. A webhook, a quota or an eviction answers 429 for one
 * object: what others write goes on meanwhile. Thread-safe.
 */
final class Throttling {
  private static final int TRIES = 10;
  private static final int REMEMBERED = 4096;

  private record Target(Kind<?> kind, ObjectKey key) {}

  private static final class Pauses extends LinkedHashMap<Target, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Target, Long> eldest) {
      return size() > REMEMBERED;
    }
  }

  private final Time time;
  private final int tries;
  private final Map<Target, Long> until = new Pauses();

  private Throttling(Time time, int tries) {
    this.time = time;
    this.tries = tries;
  }

  Throttling(Time time) {
    this(time, TRIES);
  }

  /** Nothing is waited for and no object is kept back. */
  static Throttling none(Time time) {
    return new Throttling(time, 1);
  }

  /** Whether a write that met an overloaded server so often is sent once more. */
  boolean mayTryAgain(int attempts) {
    return attempts < tries;
  }

  /** How long nothing is to be written to the object yet; zero if it may be. */
  Duration pauseOf(Kind<?> kind, ObjectKey key) {
    synchronized (until) {
      Target target = new Target(kind, key);
      Long end = until.get(target);
      if (end == null) {
        return Duration.ZERO;
      }
      long left = end - time.nanos();
      if (left <= 0) {
        until.remove(target);
      }
      return Duration.ofNanos(Math.max(0, left));
    }
  }

  /** A write to the object was refused. */
  void refused(Kind<?> kind, ObjectKey key, Bodies.Status status) {
    boolean later = status.code() == 429 || status.code() == 503 && status.asksForPatience();
    if (!later || tries == 1) {
      return;
    }
    synchronized (until) {
      until.put(new Target(kind, key), time.nanos() + status.patience().toNanos());
    }
  }
}
