package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.execute.AttachStats;
import dev.mooring.attachdetach.observe.ActualStateOfWorld;
import dev.mooring.attachdetach.observe.DesiredStateOfWorld;
import dev.mooring.attachdetach.observe.Resolver;
import dev.mooring.informer.Informer;
import dev.mooring.model.Pod;
import dev.mooring.operation.OperationStats;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What the attach/detach controller counts (spec/attachdetach.md 12). Thread-safe. */
public final class AttachDetachMetrics {
  /**
   * A node and a plugin.
   *
   * @param node the node
   * @param plugin the plugin as metrics label it: CSI volumes by driver
   */
  public record InUse(String node, String plugin) {}

  private final DesiredStateOfWorld desired;
  private final ActualStateOfWorld actual;
  private final AttachStats stats;
  private final Informer<Pod> pods;
  private final Resolver resolver;

  AttachDetachMetrics(
      DesiredStateOfWorld desired,
      ActualStateOfWorld actual,
      AttachStats stats,
      Informer<Pod> pods,
      Resolver resolver) {
    this.desired = desired;
    this.actual = actual;
    this.stats = stats;
    this.pods = pods;
    this.resolver = resolver;
  }

  /** How long attaches and detaches took. */
  public OperationStats operations() {
    return stats.operations();
  }

  /** How many pairs of volume and node are wanted, by plugin. */
  public Map<String, Integer> desired() {
    return desired.counts();
  }

  /** How many pairs of volume and node are or may be attached, by plugin. */
  public Map<String, Integer> actual() {
    return actual.counts();
  }

  /** How many volumes of attachable sorts the pods of each node use. Looks at every pod. */
  public Map<InUse, Integer> inUse() {
    Map<InUse, Integer> counts = new HashMap<>();
    for (Pod pod : pods.snapshot().all()) {
      if (!pod.nodeName().isEmpty() && !(pod.claims().isEmpty() && pod.inline().isEmpty())) {
        Resolver.Resolved resolved = resolver.resolve(pod);
        Stream.concat(
                resolved.targets().stream().map(AttachTarget::id), resolved.without().stream())
            .forEach(id -> counts.merge(new InUse(pod.nodeName(), id.label()), 1, Integer::sum));
      }
    }
    return counts;
  }

  /** How many volumes were taken by force because a node did not let go for too long. */
  public long forcedByTimeout() {
    return stats.forcedBy(AttachStep.Grounds.TIMEOUT);
  }

  /** How many were taken because the node was declared out of service. */
  public long forcedByTaint() {
    return stats.forcedBy(AttachStep.Grounds.OUT_OF_SERVICE);
  }

  /** How many were taken because the node was found dead. */
  public long forcedByEvidence() {
    return stats.forcedBy(AttachStep.Grounds.EVIDENCE);
  }

  /** How often what was attached was not what was thought. */
  public long drifts() {
    return stats.drifts();
  }
}
