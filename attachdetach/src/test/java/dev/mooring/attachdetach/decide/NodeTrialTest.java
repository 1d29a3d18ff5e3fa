package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.NodeTrial.Room;
import dev.mooring.attachdetach.decide.NodeTrial.Wanted;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which nodes can have the volumes of a pod. */
class NodeTrialTest {
  private static Node node(String name, String zone) {
    Meta meta =
        Builders.metaOf(ObjectKey.cluster(name))
            .uid(Uid.NONE)
            .version(0)
            .labels(Map.of("zone", zone))
            .meta();
    return Builders.node(meta).build();
  }

  private static Wanted in(String name, String zone) {
    return new Wanted(
        name,
        new NodeAffinity(
            List.of(
                new NodeAffinity.Term(
                    List.of(new Requirement("zone", "In", List.of(zone))), List.of()))));
  }

  @Test
  void aNodeHasToReachEveryVolumeAndToHaveRoomForAllThatCome() {
    List<NodeTrial> trials =
        NodeTrial.of(
            List.of(node("far", "b"), node("full", "a"), node("fits", "a")),
            List.of(in("v", "a"), new Wanted("w", NodeAffinity.NONE)),
            Map.of(
                "full", List.of(new Room("d", 2, 3, 2)), "fits", List.of(new Room("d", 1, 3, 2))));
    assertThat(trials).extracting(NodeTrial::node).containsExactly("fits", "far", "full");
    assertThat(trials).extracting(NodeTrial::failed).containsExactly(0L, 1L, 1L);
    assertThat(trials.get(1).outcomes())
        .contains(new NodeTrial.Outcome("nodeAffinity", "volume v asks for zone in [a]"));
    assertThat(trials.get(2).outcomes())
        .contains(new NodeTrial.Outcome("limit", "has 2 of 3 volumes of d"));
  }

  @Test
  void volumesOfTwoPlacesHaveNoNode() {
    assertThat(
            NodeTrial.of(
                List.of(node("a", "a"), node("b", "b")),
                List.of(in("v", "a"), in("w", "b")),
                Map.of()))
        .allMatch(trial -> trial.failed() == 1);
  }
}
