package dev.mooring.attachdetach.explain;

import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Result of the scheduler's two volume checks for one node and the volumes of a pod.
 *
 * @param isReady whether the node is ready
 * @param outcomes one outcome per check
 */
public record NodeFit(String node, boolean isReady, List<CheckOutcome> outcomes) {
  private static final String AFFINITY = "nodeAffinity";

  private static final Comparator<NodeFit> NEAREST =
      Comparator.comparingLong(NodeFit::countFailures).thenComparing(NodeFit::node);

  public NodeFit {
    outcomes = List.copyOf(outcomes);
  }

  public record CheckOutcome(String test, String failure) {}

  public record NeededVolume(String name, NodeAffinity affinity) {}

  public record DriverLimit(String driver, int attached, int limit, int requested) {}

  public boolean isReachingAll() {
    return outcomes.stream()
        .noneMatch(outcome -> outcome.test().equals(AFFINITY) && !outcome.failure().isEmpty());
  }

  public long countFailures() {
    return outcomes.stream().filter(outcome -> !outcome.failure().isEmpty()).count();
  }

  public static List<NodeFit> of(
      Iterable<Node> nodes, List<NeededVolume> volumes, Map<String, List<DriverLimit>> limits) {
    List<NodeFit> fits = new ArrayList<>();
    for (Node node : nodes) {
      String name = node.meta().name();
      List<CheckOutcome> outcomes = new ArrayList<>();
      for (NeededVolume volume : volumes) {
        boolean isPassed = volume.affinity().admits(node);
        outcomes.add(
            new CheckOutcome(
                AFFINITY,
                isPassed ? "" : "volume " + volume.name() + " asks for " + volume.affinity()));
      }
      for (DriverLimit driverLimit : limits.getOrDefault(name, List.of())) {
        boolean isPassed = driverLimit.attached() + driverLimit.requested() <= driverLimit.limit();
        outcomes.add(
            new CheckOutcome(
                "limit",
                isPassed
                    ? ""
                    : "has %d of %d volumes of %s"
                        .formatted(
                            driverLimit.attached(), driverLimit.limit(), driverLimit.driver())));
      }
      fits.add(new NodeFit(name, node.isReady(), outcomes));
    }
    fits.sort(NEAREST);
    return fits;
  }
}
