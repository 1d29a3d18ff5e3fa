package dev.mooring.snapshots.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.Volume;
import dev.mooring.snapshots.decide.SnapshotView.NodeChoice;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import org.junit.jupiter.api.Test;

class VolumeNodesTest {
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final VolumeNodes nodes = new VolumeNodes(cluster.informers().of(Kind.NODE));

  private void createNode(String name, String zone) {
    cluster.put(Kind.NODE, TestObjects.node(name).label("zone", zone).build());
  }

  private static Volume volumeOf(String zone) {
    Requirement requirement = new Requirement("zone", "In", List.of(zone));
    NodeAffinity affinity =
        new NodeAffinity(List.of(new NodeAffinity.Term(List.of(requirement), List.of())));
    return TestObjects.volume("v").nodeAffinity(affinity).build();
  }

  @Test
  void choose_severalNodesMatch_returnsFirstName() {
    createNode("n3", "a");
    createNode("n2", "a");
    createNode("n1", "b");
    assertThat(nodes.choose(volumeOf("a"))).isEqualTo(new NodeChoice(true, "n2"));
  }

  @Test
  void choose_noNodeMatches_isRequiredWithoutNode() {
    createNode("n1", "b");
    assertThat(nodes.choose(volumeOf("a"))).isEqualTo(new NodeChoice(true, ""));
  }

  @Test
  void choose_volumeWithoutAffinity_isAnyNode() {
    createNode("n1", "a");
    assertThat(nodes.choose(TestObjects.volume("v").build())).isEqualTo(NodeChoice.ANY);
  }
}
