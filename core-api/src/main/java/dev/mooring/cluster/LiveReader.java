package dev.mooring.cluster;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.List;
import java.util.Map;

/**
 * Reads past every cache, from the quorum. For decisions that destroy. A key that no object can
 * have ({@link ObjectKey#flaw}) cannot be asked for: that is {@link ReadResult.Failed}, not
 * absence. An answer about another object than the one asked for is none. Thread-safe; blocks.
 */
public interface LiveReader {
  /**
   * Reads one object, with all its labels and annotations: caches keep only those that are read.
   */
  <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) throws InterruptedException;

  /**
   * Reads one object with every member that it has, for what the trimmed records leave out. Numbers
   * are Long or Double.
   */
  ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key)
      throws InterruptedException;

  /**
   * Whether the server says that we may not read it. That is an answer, which {@link
   * ReadResult.Failed} is not: for whoever goes on without what it will never be given. Asks once
   * more.
   *
   * @return false also where the server does not say
   */
  default boolean isForbidden(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return false;
  }

  /** Lists the objects of one namespace; never {@link ReadResult.Absent}. */
  <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace)
      throws InterruptedException;
}
