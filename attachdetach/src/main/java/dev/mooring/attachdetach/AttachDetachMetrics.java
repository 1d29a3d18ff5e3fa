package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.execute.AttachStats;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.informer.Informer;
import dev.mooring.model.Pod;
import dev.mooring.operation.OperationStats;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Metrics of the attach/detach controller, under Kubernetes' names. Thread-safe. */
public final class AttachDetachMetrics {
  public record NodePlugin(String node, String plugin) {}

  private final StateOfWorld state;
  private final AttachStats stats;
  private final Informer<Pod> pods;
  private final VolumeResolver resolver;

  AttachDetachMetrics(
      StateOfWorld state, AttachStats stats, Informer<Pod> pods, VolumeResolver resolver) {
    this.state = state;
    this.stats = stats;
    this.pods = pods;
    this.resolver = resolver;
  }

  public OperationStats operations() {
    return stats.operations();
  }

  public Map<String, Integer> desired() {
    return state.desired().countByPlugin();
  }

  public Map<String, Integer> actual() {
    return state.actual().countByPlugin();
  }

  /**
   * Returns the number of attachable volumes that pods use, by node and plugin. Visits every pod.
   */
  public Map<NodePlugin, Integer> inUse() {
    Map<NodePlugin, Integer> counts = new HashMap<>();
    for (Pod pod : pods.snapshot().objects()) {
      if (!pod.nodeName().isEmpty() && !(pod.claims().isEmpty() && pod.inline().isEmpty())) {
        VolumeResolver.ResolvedVolumes resolved = resolver.resolve(pod);
        Stream.concat(
                resolved.targets().stream().map(AttachTarget::id), resolved.unattachable().stream())
            .forEach(
                id -> counts.merge(new NodePlugin(pod.nodeName(), id.label()), 1, Integer::sum));
      }
    }
    return counts;
  }

  public long forcedByTimeout() {
    return stats.forcedBy(AttachStep.Grounds.TIMEOUT);
  }

  public long forcedByTaint() {
    return stats.forcedBy(AttachStep.Grounds.OUT_OF_SERVICE);
  }

  public long forcedByEvidence() {
    return stats.forcedBy(AttachStep.Grounds.EVIDENCE);
  }

  public long drifts() {
    return stats.drifts();
  }
}
