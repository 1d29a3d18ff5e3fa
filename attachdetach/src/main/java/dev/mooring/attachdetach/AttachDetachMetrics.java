package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.Step;
import dev.mooring.attachdetach.decide.Target;
import dev.mooring.attachdetach.execute.Figures;
import dev.mooring.attachdetach.observe.Resolver;
import dev.mooring.attachdetach.world.ActualWorld;
import dev.mooring.attachdetach.world.DesiredWorld;
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

  private final DesiredWorld desired;
  private final ActualWorld actual;
  private final Figures figures;
  private final Informer<Pod> pods;
  private final Resolver resolver;

  AttachDetachMetrics(
      DesiredWorld desired,
      ActualWorld actual,
      Figures figures,
      Informer<Pod> pods,
      Resolver resolver) {
    this.desired = desired;
    this.actual = actual;
    this.figures = figures;
    this.pods = pods;
    this.resolver = resolver;
  }

  /** How long attaches and detaches took. */
  public OperationStats operations() {
    return figures.operations();
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
        Stream.concat(resolved.targets().stream().map(Target::id), resolved.without().stream())
            .forEach(id -> counts.merge(new InUse(pod.nodeName(), id.label()), 1, Integer::sum));
      }
    }
    return counts;
  }

  /** How many volumes were taken by force because a node did not let go for too long. */
  public long forcedByTimeout() {
    return figures.forcedBy(Step.Grounds.TIMEOUT);
  }

  /** How many were taken because the node was declared out of service. */
  public long forcedByTaint() {
    return figures.forcedBy(Step.Grounds.OUT_OF_SERVICE);
  }

  /** How many were taken because the node was found dead. */
  public long forcedByEvidence() {
    return figures.forcedBy(Step.Grounds.EVIDENCE);
  }

  /** How often what was attached was not what was thought. */
  public long drifts() {
    return figures.drifts();
  }
}
