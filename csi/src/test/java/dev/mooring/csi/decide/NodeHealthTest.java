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
  void step_notReady_failsAfterFiveMinutes() {
    NodeState.Since since = new NodeState.Since(7);
    assertThat(NodeHealth.step(null, Condition.NOT_READY, 7))
        .isEqualTo(new NodeStep.Wait(since, Duration.ofMinutes(5)));
    assertThat(NodeHealth.step(since, Condition.NOT_READY, 7 + 4 * MINUTE))
        .isEqualTo(new NodeStep.Wait(since, Duration.ofMinutes(1)));
    assertThat(NodeHealth.step(since, Condition.NOT_READY, 7 + 5 * MINUTE))
        .isEqualTo(new NodeStep.Failed());
    assertThat(NodeHealth.step(new NodeState.Reported(), Condition.NOT_READY, 9 * MINUTE))
        .isEqualTo(new NodeStep.Nothing());
  }

  @Test
  void step_ready_recoversOnlyAfterReport() {
    assertThat(NodeHealth.step(null, Condition.READY, 0)).isEqualTo(new NodeStep.Nothing());
    assertThat(NodeHealth.step(new NodeState.Since(0), Condition.READY, 0))
        .isEqualTo(new NodeStep.Nothing());
    assertThat(NodeHealth.step(new NodeState.Reported(), Condition.READY, 0))
        .isEqualTo(new NodeStep.Recovered());
  }

  @Test
  void step_deletedNode_failsOnce() {
    assertThat(NodeHealth.step(null, Condition.GONE, 0)).isEqualTo(new NodeStep.Failed());
    assertThat(NodeHealth.step(new NodeState.Since(0), Condition.GONE, 0))
        .isEqualTo(new NodeStep.Failed());
    assertThat(NodeHealth.step(new NodeState.Reported(), Condition.GONE, 0))
        .isEqualTo(new NodeStep.Nothing());
  }

  @Test
  void report_text_equalsHealthMonitors() {
    assertThat(NodeHealth.failed("ns", "c", "n", List.of("p", "q")).note())
        .isEqualTo("Pods: [ p q ] consuming PVC: c in namespace: ns are now on a failed node: n");
    assertThat(NodeHealth.recovered("n").note()).isEqualTo("Node: n recovered");
  }
}
