package dev.mooring.csi.decide;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when claims get events about a failed node. Reasons and texts are
 * external-health-monitor's.
 */
public final class NodeHealth {
  public static final Duration PATIENCE = Duration.ofMinutes(5);

  public enum Condition {
    READY,
    NOT_READY,
    GONE
  }

  // Remembered state of an unhealthy node.
  public sealed interface NodeState {
    // NotReady since then, by the monotonic clock.
    record NotReadySince(long nanos) implements NodeState {}

    record Reported() implements NodeState {}
  }

  public sealed interface NodeStep {
    record Nothing() implements NodeStep {}

    // Check the node again after a delay.
    record Wait(NodeState.NotReadySince state, Duration remaining) implements NodeStep {}

    // Emit events: the node has failed.
    record Failed() implements NodeStep {}

    // Emit events: the node is back.
    record Recovered() implements NodeStep {}
  }

  private NodeHealth() {}

  public static NodeStep decide(@Nullable NodeState state, Condition condition, long nowNanos) {
    return switch (condition) {
      case READY ->
          state instanceof NodeState.Reported ? new NodeStep.Recovered() : new NodeStep.Nothing();
      case GONE ->
          state instanceof NodeState.Reported ? new NodeStep.Nothing() : new NodeStep.Failed();
      case NOT_READY ->
          switch (state) {
            case null -> new NodeStep.Wait(new NodeState.NotReadySince(nowNanos), PATIENCE);
            case NodeState.Reported _ -> new NodeStep.Nothing();
            case NodeState.NotReadySince notReady -> {
              Duration remaining = PATIENCE.minusNanos(nowNanos - notReady.nanos());
              yield remaining.isPositive()
                  ? new NodeStep.Wait(notReady, remaining)
                  : new NodeStep.Failed();
            }
          };
    };
  }

  public static VolumeHealth.HealthEvent failedEvent(
      String namespace, String claim, String node, List<String> pods) {
    return new VolumeHealth.HealthEvent(
        true,
        "NodeFailed",
        "Pods: [ %s ] consuming PVC: %s in namespace: %s are now on a failed node: %s"
            .formatted(String.join(" ", pods), claim, namespace, node));
  }

  public static VolumeHealth.HealthEvent recoveredEvent(String node) {
    return new VolumeHealth.HealthEvent(true, "NodeRecovered", "Node: " + node + " recovered");
  }
}
