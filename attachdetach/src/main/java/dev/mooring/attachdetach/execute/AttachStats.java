package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.operation.OperationStats;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Counters for metrics. Thread-safe. */
public final class AttachStats {
  record OperationResult(boolean isDone, boolean isMigrated) {}

  private final OperationStats operations = new OperationStats();
  private final AtomicLongArray forcedCounts = new AtomicLongArray(Grounds.values().length);
  private final LongAdder drifts = new LongAdder();

  public AttachStats() {}

  void recordOperation(VolumeId id, String operation, OperationResult result, long nanos) {
    operations.recordDuration(
        new OperationStats.Labels(id.label(), operation, result.isDone(), result.isMigrated()),
        nanos);
  }

  // counts the verification of a node, which has no plugin label
  void recordVerification(long nanos) {
    operations.recordDuration("<n/a>", "verify_volumes_are_attached_per_node", true, nanos);
  }

  void countForced(Grounds grounds) {
    forcedCounts.incrementAndGet(grounds.ordinal());
  }

  void countDrift() {
    drifts.increment();
  }

  public OperationStats operations() {
    return operations;
  }

  public long forcedBy(Grounds grounds) {
    return forcedCounts.get(grounds.ordinal());
  }

  public long drifts() {
    return drifts.sum();
  }
}
