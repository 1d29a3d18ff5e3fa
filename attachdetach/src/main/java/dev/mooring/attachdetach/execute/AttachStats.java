package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.operation.OperationStats;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Counters for metrics. Thread-safe. */
public final class AttachStats {
  record OperationResult(boolean succeeded, boolean migrated) {}

  private final OperationStats operations = new OperationStats();
  private final AtomicLongArray forced = new AtomicLongArray(Grounds.values().length);
  private final LongAdder drifts = new LongAdder();

  public AttachStats() {}

  void took(VolumeId id, String operation, OperationResult how, long nanos) {
    operations.took(
        new OperationStats.Sort(id.label(), operation, how.succeeded(), how.migrated()), nanos);
  }

  // counts the verification of a node, which has no plugin label
  void verified(long nanos) {
    operations.took("<n/a>", "verify_volumes_are_attached_per_node", true, nanos);
  }

  void forced(Grounds grounds) {
    forced.incrementAndGet(grounds.ordinal());
  }

  void drifted() {
    drifts.increment();
  }

  public OperationStats operations() {
    return operations;
  }

  public long forcedBy(Grounds grounds) {
    return forced.get(grounds.ordinal());
  }

  public long drifts() {
    return drifts.sum();
  }
}
