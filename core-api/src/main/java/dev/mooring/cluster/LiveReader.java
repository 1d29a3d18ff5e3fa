package dev.mooring.cluster;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;

/** Reads past every cache, from the quorum. For decisions that destroy. Thread-safe; blocks. */
public interface LiveReader {
  /** Reads one object. */
  <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) throws InterruptedException;
}
