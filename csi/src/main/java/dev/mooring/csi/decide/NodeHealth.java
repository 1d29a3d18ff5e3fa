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
  public sealed interface Mark {
    // NotReady since then, by the monotonic clock.
    record Since(long nanos) implements Mark {}

    record Reported() implements Mark {}
  }

  public sealed interface Step {
    record Nothing() implements Step {}

    // Check the node again after a delay.
    record Wait(Mark.Since mark, Duration left) implements Step {}

    // Emit events: the node has failed.
    record Failed() implements Step {}

    // Emit events: the node is back.
    record Recovered() implements Step {}
  }

  private NodeHealth() {}

  /**
   * Returns the next step.
   *
   * @param mark remembered state; null if the node was healthy
   * @param now nanoseconds of the monotonic clock
   */
  public static Step step(@Nullable Mark mark, Condition condition, long now) {
    return switch (condition) {
      case READY -> mark instanceof Mark.Reported ? new Step.Recovered() : new Step.Nothing();
      case GONE -> mark instanceof Mark.Reported ? new Step.Nothing() : new Step.Failed();
      case NOT_READY ->
          switch (mark) {
            case null -> new Step.Wait(new Mark.Since(now), PATIENCE);
            case Mark.Reported _ -> new Step.Nothing();
            case Mark.Since since -> {
              Duration left = PATIENCE.minusNanos(now - since.nanos());
              yield left.isPositive() ? new Step.Wait(since, left) : new Step.Failed();
            }
          };
    };
  }

  public static VolumeHealth.Report failed(
      String namespace, String claim, String node, List<String> pods) {
    return new VolumeHealth.Report(
        true,
        "NodeFailed",
        "Pods: [ "
            + String.join(" ", pods)
            + " ] consuming PVC: "
            + claim
            + " in namespace: "
            + namespace
            + " are now on a failed node: "
            + node);
  }

  public static VolumeHealth.Report recovered(String node) {
    return new VolumeHealth.Report(true, "NodeRecovered", "Node: " + node + " recovered");
  }
}
