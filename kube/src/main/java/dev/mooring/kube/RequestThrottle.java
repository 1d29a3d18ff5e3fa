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

  private record ThrottledObject(Kind<?> kind, ObjectKey key) {}

  private static final class PauseMap extends LinkedHashMap<ThrottledObject, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<ThrottledObject, Long> eldest) {
      return size() > MAX_OBJECTS;
    }
  }

  private final Time time;
  private final int maxAttempts;
  private final Map<ThrottledObject, Long> pauseEnds = new PauseMap();

  private RequestThrottle(Time time, int maxAttempts) {
    this.time = time;
    this.maxAttempts = maxAttempts;
  }

  RequestThrottle(Time time) {
    this(time, MAX_ATTEMPTS);
  }

  static RequestThrottle withoutRetries(Time time) {
    return new RequestThrottle(time, 1);
  }

  boolean canRetry(int attempts) {
    return attempts < maxAttempts;
  }

  Duration getDelay(Kind<?> kind, ObjectKey key) {
    synchronized (pauseEnds) {
      ThrottledObject target = new ThrottledObject(kind, key);
      Long pauseEnd = pauseEnds.get(target);
      if (pauseEnd == null) {
        return Duration.ZERO;
      }
      long remainingNanos = pauseEnd - time.nanos();
      if (remainingNanos <= 0) {
        pauseEnds.remove(target);
      }
      return Duration.ofNanos(Math.max(0, remainingNanos));
    }
  }

  void recordRefusal(Kind<?> kind, ObjectKey key, BodyDecoder.Status status) {
    boolean isDelayed = status.code() == 429 || status.code() == 503 && status.hasRetryDelay();
    if (!isDelayed || maxAttempts == 1) {
      return;
    }
    synchronized (pauseEnds) {
      pauseEnds.put(
          new ThrottledObject(kind, key), time.nanos() + status.getRetryDelay().toNanos());
    }
  }
}
