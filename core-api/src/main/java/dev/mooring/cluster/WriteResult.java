package dev.mooring.cluster;

import java.util.Optional;

/**
 * Result of a write. Its text is part of log lines and events.
 *
 * @param <T> type of the object
 */
public sealed interface WriteResult<T> {
  /** The server wrote the object. The informer already has this version. */
  record Written<T>(T object) implements WriteResult<T> {
    @Override
    public String toString() {
      return "written";
    }
  }

  /**
   * The precondition failed or the name is taken: another writer was first. Nothing was written.
   */
  record Conflict<T>(String message) implements WriteResult<T> {
    @Override
    public String toString() {
      return "conflict: " + message;
    }
  }

  record Gone<T>() implements WriteResult<T> {
    @Override
    public String toString() {
      return "the object is gone";
    }
  }

  /** The server rejected the write with a 4xx code; a retry of the same write fails again. */
  record Rejected<T>(int code, String message) implements WriteResult<T> {
    @Override
    public String toString() {
      return "rejected with code " + code + ": " + message;
    }
  }

  /** No response or a 5xx code: the write may or may not have happened. */
  record Unreachable<T>(String message) implements WriteResult<T> {
    @Override
    public String toString() {
      return "no answer: " + message;
    }
  }

  default Optional<T> toOptional() {
    return this instanceof Written<T>(T object) ? Optional.of(object) : Optional.empty();
  }
}
