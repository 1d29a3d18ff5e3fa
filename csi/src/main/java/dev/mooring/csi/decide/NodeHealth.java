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
    record Since(long nanos) implements NodeState {}

    record Reported() implements NodeState {}
  }

  public sealed interface NodeStep {
    record Nothing() implements NodeStep {}

    // Check the node again after a delay.
    record Wait(NodeState.Since mark, Duration left) implements NodeStep {}

    // Emit events: the node has failed.
    record Failed() implements NodeStep {}

    // Emit events: the node is back.
    record Recovered() implements NodeStep {}
  }

  private NodeHealth() {}

  public static NodeStep step(@Nullable NodeState mark, Condition condition, long now) {
    return switch (condition) {
      case READY ->
          mark instanceof NodeState.Reported ? new NodeStep.Recovered() : new NodeStep.Nothing();
      case GONE ->
          mark instanceof NodeState.Reported ? new NodeStep.Nothing() : new NodeStep.Failed();
      case NOT_READY ->
          switch (mark) {
            case null -> new NodeStep.Wait(new NodeState.Since(now), PATIENCE);
            case NodeState.Reported _ -> new NodeStep.Nothing();
            case NodeState.Since since -> {
              Duration left = PATIENCE.minusNanos(now - since.nanos());
              yield left.isPositive() ? new NodeStep.Wait(since, left) : new NodeStep.Failed();
            }
          };
    };
  }

  public static VolumeHealth.HealthEvent failed(
      String namespace, String claim, String node, List<String> pods) {
    return new VolumeHealth.HealthEvent(
        true,
        "NodeFailed",
        "Pods: [ %s ] consuming PVC: %s in namespace: %s are now on a failed node: %s"
            .formatted(String.join(" ", pods), claim, namespace, node));
  }

  public static VolumeHealth.HealthEvent recovered(String node) {
    return new VolumeHealth.HealthEvent(true, "NodeRecovered", "Node: " + node + " recovered");
  }
}
