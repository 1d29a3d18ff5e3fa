package dev.mooring.plugin.localpath;

import static dev.mooring.plugin.localpath.LocalPathFixtures.affinityTo;
import static dev.mooring.plugin.localpath.LocalPathFixtures.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VolumeLocationTest {
  private static final Node ONE = node("node-1");
  private static final Node TWO = node("node-2");
  private static final Node RENAMED =
      node("vm-7", Map.of("kubernetes.io/hostname", "node-1"), true);

  private static VolumeLocation of(NodeAffinity affinity, String name, Node... nodes) {
    Optional<Node> namedNode =
        List.of(nodes).stream().filter(n -> n.meta().name().equals(name)).findFirst();
    VolumeLocation location = VolumeLocation.of(affinity, name, namedNode, Optional.empty());
    return location instanceof VolumeLocation.NeedsAllNodes
        ? VolumeLocation.of(affinity, name, namedNode, Optional.of(List.of(nodes)))
        : location;
  }

  @Test
  void findNodeName_affinityAndAnnotation_returnsNode() {
    assertThat(VolumeLocation.findNodeName(affinityTo("h"), "noted")).contains("noted");
    assertThat(VolumeLocation.findNodeName(affinityTo("h"), "")).contains("h");
    assertThat(VolumeLocation.findNodeName(affinityTo("a", "b"), "")).isEmpty();
    assertThat(VolumeLocation.findNodeName(NodeAffinity.NONE, "")).isEmpty();
  }

  @Test
  void of_matchingNode_isFound() {
    assertThat(of(affinityTo("node-1"), "node-1", ONE, TWO))
        .isEqualTo(new VolumeLocation.OnNode(ONE));
    assertThat(
            VolumeLocation.of(affinityTo("node-1"), "node-1", Optional.of(ONE), Optional.empty()))
        .as("without asking for all")
        .isEqualTo(new VolumeLocation.OnNode(ONE));
  }

  @Test
  void of_nodeWithOtherHostname_isFoundByLabel() {
    assertThat(of(affinityTo("node-1"), "node-1", RENAMED, TWO))
        .isEqualTo(new VolumeLocation.OnNode(RENAMED));
  }

  @Test
  void of_noMatchingNode_isMissing() {
    assertThat(of(affinityTo("node-1"), "node-1", TWO))
        .isEqualTo(new VolumeLocation.NodeMissing("node-1"));
  }

  @Test
  void of_contradiction_isUnclear() {
    assertThat(of(affinityTo("node-2"), "node-1", ONE, TWO))
        .isInstanceOf(VolumeLocation.Unclear.class);
    assertThat(of(affinityTo("lost"), "node-1", ONE, TWO))
        .isInstanceOf(VolumeLocation.Unclear.class);
    assertThat(of(affinityTo("node-1", "node-2"), "gone", ONE, TWO))
        .isInstanceOf(VolumeLocation.Unclear.class);
    assertThat(of(NodeAffinity.NONE, "node-1", ONE)).isInstanceOf(VolumeLocation.Unclear.class);
  }
}
