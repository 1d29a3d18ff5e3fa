package dev.mooring.binder.execute;

import dev.mooring.model.ObjectKey;
import dev.mooring.operation.OperationStats;
import dev.mooring.time.Time;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the binder counts for metrics, under Kubernetes' names (spec/binder.md 8.2). Thread-safe.
 */
public final class BinderStats {
  /** What is timed from its first beginning to its end, retries included. */
  public enum Whole {
    PROVISION,
    DELETE;

    /** As metrics label it. */
    public String label() {
      return this == PROVISION ? "provision" : "delete";
    }
  }

  private record Begun(String plugin, long since) {}

  private record Key(Whole whole, ObjectKey object) {}

  /** Operations that failed. */
  public record Failing(String plugin, Whole whole) {}

  private final Time time;
  private final OperationStats calls = new OperationStats();
  private final OperationStats wholes = new OperationStats();
  private final Map<Key, Begun> begun = new ConcurrentHashMap<>();
  private final Map<Failing, LongAdder> errors = new ConcurrentHashMap<>();
  private final LongAdder defaulted = new LongAdder();
  private final LongAdder notDefaulted = new LongAdder();

  /** Nothing was done. */
  public BinderStats(Time time) {
    this.time = time;
  }

  /** A claim was given the default class afterwards, or could not be. */
  public void defaulted(boolean succeeded) {
    (succeeded ? defaulted : notDefaulted).increment();
  }

  /** The clock by which calls are timed. */
  public long clock() {
    return time.nanos();
  }

  /** A plugin's call that began at that time has ended. */
  public void called(String plugin, Whole whole, boolean succeeded, long since) {
    calls.took(plugin, "volume_" + whole.label(), succeeded, time.nanos() - since);
  }

  /** An attempt failed, in the plugin's call or on the way to it. */
  public void failed(String plugin, Whole whole) {
    errors.computeIfAbsent(new Failing(plugin, whole), f -> new LongAdder()).increment();
  }

  /** An attempt to end what has begun failed; nothing if it has not begun. */
  public void failed(Whole whole, ObjectKey object) {
    Begun was = begun.get(new Key(whole, object));
    if (was != null) {
      failed(was.plugin(), whole);
    }
  }

  /** It begins, if it has not begun before. */
  public void begins(Whole whole, ObjectKey object, String plugin) {
    begun.putIfAbsent(new Key(whole, object), new Begun(plugin, time.nanos()));
  }

  /** It has come to its end. */
  public void ends(Whole whole, ObjectKey object) {
    Begun was = begun.remove(new Key(whole, object));
    if (was != null) {
      wholes.took(was.plugin(), whole.label(), true, time.nanos() - was.since());
    }
  }

  /** It will not come to an end. */
  public void drops(Whole whole, ObjectKey object) {
    begun.remove(new Key(whole, object));
  }

  /** The plugins' calls. */
  public OperationStats calls() {
    return calls;
  }

  /** From beginning to end. */
  public OperationStats wholes() {
    return wholes;
  }

  /** Failures so far. */
  public Map<Failing, Long> errors() {
    Map<Failing, Long> copy = new java.util.HashMap<>();
    errors.forEach((failing, count) -> copy.put(failing, count.sum()));
    return copy;
  }

  /** Claims that were given the default class afterwards. */
  public long defaultedClaims() {
    return defaulted.sum();
  }

  /** Attempts at that which failed. */
  public long failedDefaults() {
    return notDefaulted.sum();
  }
}
