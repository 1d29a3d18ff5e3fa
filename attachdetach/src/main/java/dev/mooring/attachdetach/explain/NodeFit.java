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
      Comparator.comparingLong(NodeFit::failed).thenComparing(NodeFit::node);

  public NodeFit {
    outcomes = List.copyOf(outcomes);
  }

  public record CheckOutcome(String test, String note) {}

  public record NeededVolume(String name, NodeAffinity affinity) {}

  public record DriverLimit(String driver, int has, int limit, int more) {}

  public boolean reachesAll() {
    return outcomes.stream()
        .noneMatch(outcome -> outcome.test().equals(AFFINITY) && !outcome.note().isEmpty());
  }

  public long failed() {
    return outcomes.stream().filter(outcome -> !outcome.note().isEmpty()).count();
  }

  public static List<NodeFit> of(
      Iterable<Node> nodes, List<NeededVolume> volumes, Map<String, List<DriverLimit>> limits) {
    List<NodeFit> fits = new ArrayList<>();
    for (Node node : nodes) {
      String name = node.meta().name();
      List<CheckOutcome> outcomes = new ArrayList<>();
      for (NeededVolume volume : volumes) {
        boolean passed = volume.affinity().admits(node);
        outcomes.add(
            new CheckOutcome(
                AFFINITY,
                passed ? "" : "volume " + volume.name() + " asks for " + volume.affinity()));
      }
      for (DriverLimit room : limits.getOrDefault(name, List.of())) {
        boolean passed = room.has() + room.more() <= room.limit();
        outcomes.add(
            new CheckOutcome(
                "limit",
                passed
                    ? ""
                    : "has %d of %d volumes of %s"
                        .formatted(room.has(), room.limit(), room.driver())));
      }
      fits.add(new NodeFit(name, node.isReady(), outcomes));
    }
    fits.sort(NEAREST);
    return fits;
  }
}
