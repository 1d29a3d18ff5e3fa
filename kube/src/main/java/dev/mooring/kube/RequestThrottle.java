package dev.mooring.kube;

import dev.mooring.kube.wire.BodyDecoder;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Delays after refusals. A webhook, a quota or an eviction answers 429 for one object only; writes
 * to other objects continue. Thread-safe.
 */
final class RequestThrottle {
  private static final int MAX_ATTEMPTS = 10;
  private static final int MAX_OBJECTS = 4096;

  private record Target(Kind<?> kind, ObjectKey key) {}

  private static final class Pauses extends LinkedHashMap<Target, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Target, Long> eldest) {
      return size() > MAX_OBJECTS;
    }
  }

  private final Time time;
  private final int maxAttempts;
  private final Map<Target, Long> until = new Pauses();

  private RequestThrottle(Time time, int maxAttempts) {
    this.time = time;
    this.maxAttempts = maxAttempts;
  }

  RequestThrottle(Time time) {
    this(time, MAX_ATTEMPTS);
  }

  static RequestThrottle none(Time time) {
    return new RequestThrottle(time, 1);
  }

  boolean mayRetry(int attempts) {
    return attempts < maxAttempts;
  }

  Duration delayOf(Kind<?> kind, ObjectKey key) {
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

  void refused(Kind<?> kind, ObjectKey key, BodyDecoder.Status status) {
    boolean delayed = status.code() == 429 || status.code() == 503 && status.asksForPatience();
    if (!delayed || maxAttempts == 1) {
      return;
    }
    synchronized (until) {
      until.put(new Target(kind, key), time.nanos() + status.patience().toNanos());
    }
  }
}
