package dev.mooring.binder.state;

import dev.mooring.model.ObjectKey;
import dev.mooring.operation.OperationStats;
import dev.mooring.time.Time;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters for the binder's metrics, under Kubernetes' names (spec/binder.md 8.2). Thread-safe. */
public final class BinderStats {
  /** Operation that is timed from its first attempt to its end, retries included. */
  public enum TimedOperation {
    PROVISION,
    DELETE;

    public String label() {
      return this == PROVISION ? "provision" : "delete";
    }
  }

  private record StartedOperation(String plugin, long since) {}

  private record OperationKey(TimedOperation whole, ObjectKey object) {}

  public record FailingOperation(String plugin, TimedOperation whole) {}

  private final Time time;
  private final OperationStats calls = new OperationStats();
  private final OperationStats wholes = new OperationStats();
  private final Map<OperationKey, StartedOperation> begun = new ConcurrentHashMap<>();
  private final Map<FailingOperation, LongAdder> errors = new ConcurrentHashMap<>();
  private final LongAdder defaulted = new LongAdder();
  private final LongAdder notDefaulted = new LongAdder();

  public BinderStats(Time time) {
    this.time = time;
  }

  public void defaulted(boolean succeeded) {
    (succeeded ? defaulted : notDefaulted).increment();
  }

  public long clock() {
    return time.nanos();
  }

  public void called(String plugin, TimedOperation whole, boolean succeeded, long since) {
    calls.took(plugin, "volume_" + whole.label(), succeeded, time.nanos() - since);
  }

  public void failed(String plugin, TimedOperation whole) {
    errors.computeIfAbsent(new FailingOperation(plugin, whole), f -> new LongAdder()).increment();
  }

  public void failed(TimedOperation whole, ObjectKey object) {
    StartedOperation was = begun.get(new OperationKey(whole, object));
    if (was != null) {
      failed(was.plugin(), whole);
    }
  }

  public void begins(TimedOperation whole, ObjectKey object, String plugin) {
    begun.putIfAbsent(new OperationKey(whole, object), new StartedOperation(plugin, time.nanos()));
  }

  public void ends(TimedOperation whole, ObjectKey object) {
    StartedOperation was = begun.remove(new OperationKey(whole, object));
    if (was != null) {
      wholes.took(was.plugin(), whole.label(), true, time.nanos() - was.since());
    }
  }

  public void drops(TimedOperation whole, ObjectKey object) {
    begun.remove(new OperationKey(whole, object));
  }

  public OperationStats calls() {
    return calls;
  }

  public OperationStats wholes() {
    return wholes;
  }

  public Map<FailingOperation, Long> errors() {
    Map<FailingOperation, Long> copy = new java.util.HashMap<>();
    errors.forEach((failing, count) -> copy.put(failing, count.sum()));
    return copy;
  }

  public long defaultedClaims() {
    return defaulted.sum();
  }

  public long failedDefaults() {
    return notDefaulted.sum();
  }
}
