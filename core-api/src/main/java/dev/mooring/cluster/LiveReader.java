package dev.mooring.cluster;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Quorum reads that bypass every cache, for decisions that destroy. Thread-safe; blocks.
 *
 * <p>An invalid key ({@link ObjectKey#flaw}) is {@link ReadResult.Failed}, not absence. A response
 * that contains another object than the requested one is also Failed.
 */
public interface LiveReader {
  /** Reads one object with all labels and annotations; caches keep only the known ones. */
  <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) throws InterruptedException;

  /**
   * Reads one object with all fields, including those that the trimmed records drop. Numbers are
   * Long or Double.
   */
  ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key)
      throws InterruptedException;

  /**
   * Returns whether the server forbids reading the object. Callers can then continue without it;
   * {@link ReadResult.Failed} alone does not justify that. Sends another request.
   *
   * @return false also if the server does not answer
   */
  default boolean isForbidden(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return false;
  }

  // Returns how far the API server's clock was ahead of this machine's at the latest response,
  // negative if it was behind; zero for less than five seconds and if unknown.
  default Duration clockAhead() {
    return Duration.ZERO;
  }

  /** Lists the objects of one namespace. Never returns {@link ReadResult.Absent}. */
  <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace)
      throws InterruptedException;
}
