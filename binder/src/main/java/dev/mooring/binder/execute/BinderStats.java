package dev.mooring.binder.execute;

import dev.mooring.model.ObjectKey;
import dev.mooring.operation.OperationStats;
import dev.mooring.time.Time;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters for the binder's metrics, under Kubernetes' names (spec/binder.md 8.2). Thread-safe. */
public final class BinderStats {
  /** Operation that is timed from its first attempt to its end, retries included. */
  public enum Whole {
    PROVISION,
    DELETE;

    public String label() {
      return this == PROVISION ? "provision" : "delete";
    }
  }

  private record Begun(String plugin, long since) {}

  private record Key(Whole whole, ObjectKey object) {}

  public record Failing(String plugin, Whole whole) {}

  private final Time time;
  private final OperationStats calls = new OperationStats();
  private final OperationStats wholes = new OperationStats();
  private final Map<Key, Begun> begun = new ConcurrentHashMap<>();
  private final Map<Failing, LongAdder> errors = new ConcurrentHashMap<>();
  private final LongAdder defaulted = new LongAdder();
  private final LongAdder notDefaulted = new LongAdder();

  public BinderStats(Time time) {
    this.time = time;
  }

  /**
   * Counts a claim to which the default class was assigned after its creation, or a failure to do
   * so.
   */
  public void defaulted(boolean succeeded) {
    (succeeded ? defaulted : notDefaulted).increment();
  }

  public long clock() {
    return time.nanos();
  }

  /** Records the end of a plugin call that began at {@code since}. */
  public void called(String plugin, Whole whole, boolean succeeded, long since) {
    calls.took(plugin, "volume_" + whole.label(), succeeded, time.nanos() - since);
  }

  /** Counts a failed attempt, in the plugin's call or before it. */
  public void failed(String plugin, Whole whole) {
    errors.computeIfAbsent(new Failing(plugin, whole), f -> new LongAdder()).increment();
  }

  /** Counts a failed attempt of an operation that has begun; otherwise does nothing. */
  public void failed(Whole whole, ObjectKey object) {
    Begun was = begun.get(new Key(whole, object));
    if (was != null) {
      failed(was.plugin(), whole);
    }
  }

  /** Starts the timer of an operation unless it runs already. */
  public void begins(Whole whole, ObjectKey object, String plugin) {
    begun.putIfAbsent(new Key(whole, object), new Begun(plugin, time.nanos()));
  }

  /** Stops the timer of an operation and records it. */
  public void ends(Whole whole, ObjectKey object) {
    Begun was = begun.remove(new Key(whole, object));
    if (was != null) {
      wholes.took(was.plugin(), whole.label(), true, time.nanos() - was.since());
    }
  }

  /** Discards the timer of an operation that will not end. */
  public void drops(Whole whole, ObjectKey object) {
    begun.remove(new Key(whole, object));
  }

  public OperationStats calls() {
    return calls;
  }

  /** Returns the timed operations, retries included. */
  public OperationStats wholes() {
    return wholes;
  }

  public Map<Failing, Long> errors() {
    Map<Failing, Long> copy = new java.util.HashMap<>();
    errors.forEach((failing, count) -> copy.put(failing, count.sum()));
    return copy;
  }

  /** Returns the number of claims to which the default class was assigned after their creation. */
  public long defaultedClaims() {
    return defaulted.sum();
  }

  /** Returns the number of failed attempts to assign the default class. */
  public long failedDefaults() {
    return notDefaulted.sum();
  }
}
