package dev.mooring.binder.state;

import dev.mooring.model.ObjectKey;
import dev.mooring.operation.OperationStats;
import dev.mooring.time.Time;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters for the binder's metrics, under Kubernetes' names. Thread-safe. */
public final class BinderStats {
  /** Operation that is timed from its first attempt to its end, retries included. */
  public enum TimedOperation {
    PROVISION,
    DELETE;

    public String label() {
      return this == PROVISION ? "provision" : "delete";
    }
  }

  private record StartedOperation(String plugin, long startNanos) {}

  private record OperationKey(TimedOperation operation, ObjectKey object) {}

  public record FailingOperation(String plugin, TimedOperation operation) {}

  private final Time time;
  private final OperationStats calls = new OperationStats();
  private final OperationStats operations = new OperationStats();
  private final Map<OperationKey, StartedOperation> startedOperations = new ConcurrentHashMap<>();
  private final Map<FailingOperation, LongAdder> errors = new ConcurrentHashMap<>();
  private final LongAdder defaultedClaims = new LongAdder();
  private final LongAdder failedDefaults = new LongAdder();

  public BinderStats(Time time) {
    this.time = time;
  }

  public void countDefaultedClaim(boolean succeeded) {
    (succeeded ? defaultedClaims : failedDefaults).increment();
  }

  public long currentNanos() {
    return time.nanos();
  }

  public void recordCall(
      String plugin, TimedOperation operation, boolean succeeded, long startNanos) {
    calls.recordDuration(
        plugin, "volume_" + operation.label(), succeeded, time.nanos() - startNanos);
  }

  public void countFailure(String plugin, TimedOperation operation) {
    errors
        .computeIfAbsent(new FailingOperation(plugin, operation), f -> new LongAdder())
        .increment();
  }

  public void countFailure(TimedOperation operation, ObjectKey object) {
    StartedOperation startedOperation = startedOperations.get(new OperationKey(operation, object));
    if (startedOperation != null) {
      countFailure(startedOperation.plugin(), operation);
    }
  }

  public void recordStart(TimedOperation operation, ObjectKey object, String plugin) {
    startedOperations.putIfAbsent(
        new OperationKey(operation, object), new StartedOperation(plugin, time.nanos()));
  }

  public void recordEnd(TimedOperation operation, ObjectKey object) {
    StartedOperation startedOperation =
        startedOperations.remove(new OperationKey(operation, object));
    if (startedOperation != null) {
      operations.recordDuration(
          startedOperation.plugin(),
          operation.label(),
          true,
          time.nanos() - startedOperation.startNanos());
    }
  }

  public void forgetStart(TimedOperation operation, ObjectKey object) {
    startedOperations.remove(new OperationKey(operation, object));
  }

  public OperationStats calls() {
    return calls;
  }

  public OperationStats operations() {
    return operations;
  }

  public Map<FailingOperation, Long> errors() {
    Map<FailingOperation, Long> copy = new java.util.HashMap<>();
    errors.forEach((failing, count) -> copy.put(failing, count.sum()));
    return copy;
  }

  public long defaultedClaims() {
    return defaultedClaims.sum();
  }

  public long failedDefaults() {
    return failedDefaults.sum();
  }
}
