package dev.mooring.attachdetach.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AttachQueuesTest {
  private static final VolumeId V = VolumeId.csi("d", "v");
  private static final VolumeId W = VolumeId.csi("d", "w");

  private final SimTime time = new SimTime();
  private final StateOfWorld state = new StateOfWorld();
  private final ActualStateOfWorld actual = state.actual();
  private final AttachQueues queues = new AttachQueues(state, new AttachCluster().caches(), time);

  /** Without the delay, each attach would write the node's whole volumesAttached list. */
  @Test
  void statusDelay_attachPending_allowsTenWritesASecond() {
    actual.setAttached(V, "n1", "", null);
    actual.setUncertain(W, "n1", null);
    assertThat(queues.statusDelay("n1")).as("the first").isZero();
    actual.recordStatusWrite("n1", time.nanos());
    time.advance(Duration.ofMillis(30));
    assertThat(queues.statusDelay("n1")).isEqualTo(Duration.ofMillis(70));
    assertThat(queues.statusDelay("n2")).as("another node").isZero();
    time.advance(Duration.ofMillis(70));
    assertThat(queues.statusDelay("n1")).isZero();
  }

  @Test
  void statusDelay_noAttachPending_isZero() {
    actual.setAttached(V, "n1", "", null);
    actual.setUncertain(W, "n1", null);
    actual.recordStatusWrite("n1", time.nanos());
    actual.setAttached(W, "n1", "", null);
    assertThat(queues.statusDelay("n1")).isZero();
  }
}
