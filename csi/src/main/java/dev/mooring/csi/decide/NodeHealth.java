package dev.mooring.csi.decide;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When claims are told that a node is down, and in which words: external-health-monitor's. */
public final class NodeHealth {
  /** How long a node may be not ready. */
  public static final Duration PATIENCE = Duration.ofMinutes(5);

  /** How a node is. */
  public enum Condition {
    READY,
    NOT_READY,
    GONE
  }

  /** What is known of a node that is not well; nothing is known of others. */
  public sealed interface Mark {
    /** It is not ready since then, by a monotonic clock. */
    record Since(long nanos) implements Mark {}

    /** Its claims were told. */
    record Reported() implements Mark {}
  }

  /** What is to be done. */
  public sealed interface Step {
    /** Nothing; the node is well, or its claims know. */
    record Nothing() implements Step {}

    /** To look again then. */
    record Wait(Mark.Since mark, Duration left) implements Step {}

    /** To tell its claims that it is down. */
    record Failed() implements Step {}

    /** To tell them that it is back. */
    record Recovered() implements Step {}
  }

  private NodeHealth() {}

  /**
   * What is to be done.
   *
   * @param mark what was known of it, null for nothing
   * @param now nanoseconds of a monotonic clock
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

  /** What a claim is told of a node that is down. */
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

  /** What it is told when the node is back. */
  public static VolumeHealth.Report recovered(String node) {
    return new VolumeHealth.Report(true, "NodeRecovered", "Node: " + node + " recovered");
  }
}
