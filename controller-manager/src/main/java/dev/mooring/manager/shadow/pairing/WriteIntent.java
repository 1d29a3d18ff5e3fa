package dev.mooring.manager.shadow.pairing;

import java.util.HashSet;
import java.util.Set;

/** Intended write and its progress. Not thread-safe. */
final class WriteIntent {
  enum State {
    OPEN,
    /** The controller no longer intends it. */
    WITHDRAWN,
    /** Counted or reported. */
    CLOSED
  }

  private final Set<FactKey> met = new HashSet<>();
  private final long firstNanos;
  private IntendedWrite write;
  private long lastNanos;
  private State state = State.OPEN;

  WriteIntent(IntendedWrite write, long nanos) {
    this.write = write;
    this.firstNanos = nanos;
    this.lastNanos = nanos;
  }

  IntendedWrite write() {
    return write;
  }

  void repeat(IntendedWrite newWrite, long nanos) {
    write = newWrite;
    lastNanos = nanos;
    if (state == State.WITHDRAWN) {
      state = State.OPEN;
    }
  }

  void meet(FactKey fact) {
    met.add(fact);
  }

  boolean isMet() {
    return met.containsAll(write.changes().keySet());
  }

  boolean isPartlyMet() {
    return !met.isEmpty();
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  boolean isClosed() {
    return state == State.CLOSED;
  }

  void withdraw(long nanos) {
    state = State.WITHDRAWN;
    lastNanos = nanos;
  }

  void close() {
    state = State.CLOSED;
  }

  long firstNanos() {
    return firstNanos;
  }

  long lastNanos() {
    return lastNanos;
  }
}
