package dev.mooring.attachdetach.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.explain.NodeFit.DriverLimit;
import dev.mooring.attachdetach.explain.NodeFit.NeededVolume;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that can have the volumes of a pod. */
class NodeFitTest {
  private static Node node(String name, String zone) {
    Meta meta =
        TestObjects.metaOf(ObjectKey.cluster(name))
            .uid(Uid.NONE)
            .version(0)
            .labels(Map.of("zone", zone))
            .meta();
    return TestObjects.node(meta).build();
  }

  private static NeededVolume volumeInZone(String name, String zone) {
    return new NeededVolume(
        name,
        new NodeAffinity(
            List.of(
                new NodeAffinity.Term(
                    List.of(new Requirement("zone", "In", List.of(zone))), List.of()))));
  }

  @Test
  void of_nodesWithDifferentReachAndCapacity_sortsByFailures() {
    List<NodeFit> fits =
        NodeFit.of(
            List.of(node("far", "b"), node("full", "a"), node("fits", "a")),
            List.of(volumeInZone("v", "a"), new NeededVolume("w", NodeAffinity.NONE)),
            Map.of(
                "full",
                List.of(new DriverLimit("d", 2, 3, 2)),
                "fits",
                List.of(new DriverLimit("d", 1, 3, 2))));
    assertThat(fits).extracting(NodeFit::node).containsExactly("fits", "far", "full");
    assertThat(fits).extracting(NodeFit::countFailures).containsExactly(0L, 1L, 1L);
    assertThat(fits.get(1).outcomes())
        .contains(new NodeFit.CheckOutcome("nodeAffinity", "volume v asks for zone in [a]"));
    assertThat(fits.get(2).outcomes())
        .contains(new NodeFit.CheckOutcome("limit", "has 2 of 3 volumes of d"));
  }

  @Test
  void of_volumesInTwoZones_failsOnEveryNode() {
    assertThat(
            NodeFit.of(
                List.of(node("a", "a"), node("b", "b")),
                List.of(volumeInZone("v", "a"), volumeInZone("w", "b")),
                Map.of()))
        .allMatch(fit -> fit.countFailures() == 1);
  }
}
