package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.operation.OperationStats;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What was done so far, counted for metrics. Thread-safe. */
public final class AttachStats {
  /**
   * How an attach or a detach ended.
   *
   * @param succeeded whether it did what it was to do
   * @param migrated whether the volume is an in-tree one that a CSI driver serves
   */
  record Ended(boolean succeeded, boolean migrated) {}

  private final OperationStats operations = new OperationStats();
  private final Map<Grounds, LongAdder> forced = new ConcurrentHashMap<>();
  private final LongAdder drifts = new LongAdder();

  /** Nothing was done. */
  public AttachStats() {}

  void took(VolumeId id, String operation, Ended how, long nanos) {
    operations.took(
        new OperationStats.Sort(id.label(), operation, how.succeeded(), how.migrated()), nanos);
  }

  /** What is attached to a node was compared with what is thought to be; no plugin did that. */
  void verified(long nanos) {
    operations.took("<n/a>", "verify_volumes_are_attached_per_node", true, nanos);
  }

  void forced(Grounds grounds) {
    forced.computeIfAbsent(grounds, g -> new LongAdder()).increment();
  }

  void drifted() {
    drifts.increment();
  }

  /** How long attaches and detaches took. */
  public OperationStats operations() {
    return operations;
  }

  /** How many volumes were taken by force, for that reason. */
  public long forcedBy(Grounds grounds) {
    LongAdder count = forced.get(grounds);
    return count == null ? 0 : count.sum();
  }

  /** How often what was attached was not what was thought. */
  public long drifts() {
    return drifts.sum();
  }
}
