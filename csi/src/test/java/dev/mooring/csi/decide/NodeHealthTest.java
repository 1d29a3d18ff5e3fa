package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.decide.NodeHealth.Condition;
import dev.mooring.csi.decide.NodeHealth.NodeState;
import dev.mooring.csi.decide.NodeHealth.NodeStep;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases of external-health-monitor's node watcher. */
class NodeHealthTest {
  private static final long MINUTE = 60_000_000_000L;

  @Test
  void decide_notReady_failsAfterFiveMinutes() {
    NodeState.NotReadySince notReady = new NodeState.NotReadySince(7);
    assertThat(NodeHealth.decide(null, Condition.NOT_READY, 7))
        .isEqualTo(new NodeStep.Wait(notReady, Duration.ofMinutes(5)));
    assertThat(NodeHealth.decide(notReady, Condition.NOT_READY, 7 + 4 * MINUTE))
        .isEqualTo(new NodeStep.Wait(notReady, Duration.ofMinutes(1)));
    assertThat(NodeHealth.decide(notReady, Condition.NOT_READY, 7 + 5 * MINUTE))
        .isEqualTo(new NodeStep.Failed());
    assertThat(NodeHealth.decide(new NodeState.Reported(), Condition.NOT_READY, 9 * MINUTE))
        .isEqualTo(new NodeStep.Nothing());
  }

  @Test
  void decide_ready_recoversOnlyAfterReport() {
    assertThat(NodeHealth.decide(null, Condition.READY, 0)).isEqualTo(new NodeStep.Nothing());
    assertThat(NodeHealth.decide(new NodeState.NotReadySince(0), Condition.READY, 0))
        .isEqualTo(new NodeStep.Nothing());
    assertThat(NodeHealth.decide(new NodeState.Reported(), Condition.READY, 0))
        .isEqualTo(new NodeStep.Recovered());
  }

  @Test
  void decide_deletedNode_failsOnce() {
    assertThat(NodeHealth.decide(null, Condition.GONE, 0)).isEqualTo(new NodeStep.Failed());
    assertThat(NodeHealth.decide(new NodeState.NotReadySince(0), Condition.GONE, 0))
        .isEqualTo(new NodeStep.Failed());
    assertThat(NodeHealth.decide(new NodeState.Reported(), Condition.GONE, 0))
        .isEqualTo(new NodeStep.Nothing());
  }

  @Test
  void events_text_equalsHealthMonitors() {
    assertThat(NodeHealth.failedEvent("ns", "c", "n", List.of("p", "q")).message())
        .isEqualTo("Pods: [ p q ] consuming PVC: c in namespace: ns are now on a failed node: n");
    assertThat(NodeHealth.recoveredEvent("n").message()).isEqualTo("Node: n recovered");
  }
}
