package dev.mooring.attachdetach.decide;

import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A node, and whether it can have the volumes of a pod: the two tests of volumes to which the
 * scheduler puts nodes.
 *
 * @param node its name
 * @param isReady whether it says that it is ready
 * @param outcomes every test and how it ended
 */
public record NodeTrial(String node, boolean isReady, List<Outcome> outcomes) {
  private static final String AFFINITY = "nodeAffinity";

  private static final Comparator<NodeTrial> NEAREST =
      Comparator.comparingLong(NodeTrial::failed).thenComparing(NodeTrial::node);

  /** Copies the outcomes. */
  public NodeTrial {
    outcomes = List.copyOf(outcomes);
  }

  /**
   * How a test ended.
   *
   * @param test its name: {@code nodeAffinity} or {@code limit}, with what it is about
   * @param note why it was not passed, as the end of a sentence about the node; "" if it was
   */
  public record Outcome(String test, String note) {}

  /**
   * A volume that a pod wants.
   *
   * @param name its name
   * @param affinity the nodes from which it can be reached
   */
  public record Wanted(String name, NodeAffinity affinity) {}

  /**
   * How many volumes of a driver a node may have.
   *
   * @param driver the driver
   * @param has how many it has
   * @param limit how many it may have
   * @param more how many would come
   */
  public record Room(String driver, int has, int limit, int more) {}

  /** Whether the node reaches every volume, with or without room for them. */
  public boolean reachesAll() {
    return outcomes.stream()
        .noneMatch(outcome -> outcome.test().equals(AFFINITY) && !outcome.note().isEmpty());
  }

  /** How many tests the node failed. */
  public long failed() {
    return outcomes.stream().filter(outcome -> !outcome.note().isEmpty()).count();
  }

  /**
   * The trials of all nodes, the nearest first.
   *
   * @param rooms by node, for the drivers that matter and tell a limit
   */
  public static List<NodeTrial> of(
      Iterable<Node> nodes, List<Wanted> volumes, Map<String, List<Room>> rooms) {
    List<NodeTrial> trials = new ArrayList<>();
    for (Node node : nodes) {
      String name = node.meta().name();
      List<Outcome> outcomes = new ArrayList<>();
      for (Wanted volume : volumes) {
        boolean passed = volume.affinity().admits(node);
        outcomes.add(
            new Outcome(
                AFFINITY,
                passed ? "" : "volume " + volume.name() + " asks for " + volume.affinity()));
      }
      for (Room room : rooms.getOrDefault(name, List.of())) {
        boolean passed = room.has() + room.more() <= room.limit();
        outcomes.add(
            new Outcome(
                "limit",
                passed
                    ? ""
                    : "has %d of %d volumes of %s"
                        .formatted(room.has(), room.limit(), room.driver())));
      }
      trials.add(new NodeTrial(name, node.isReady(), outcomes));
    }
    trials.sort(NEAREST);
    return trials;
  }
}
