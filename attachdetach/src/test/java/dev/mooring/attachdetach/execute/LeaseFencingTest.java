package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.state.SuspectNodes;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.NodeFencing.Verdict;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseFencingTest {
  private final SimTime time = new SimTime();
  private ReadResult<Node> node = new ReadResult.Absent<>();
  private ReadResult<Lease> lease = new ReadResult.Absent<>();

  private final LeaseFencing fencing =
      new LeaseFencing(
          new FaultyCluster().onRead(request -> request.kind().equals(Kind.NODE) ? node : lease),
          new SuspectNodes(),
          time);

  private static Meta meta(String name) {
    return TestObjects.metaOf(ObjectKey.cluster(name)).uid("u").created(1).meta();
  }

  private void putNode(String ready) {
    node = new ReadResult.Found<>(TestObjects.node(meta("n")).ready(ready).build());
  }

  private void renewLease(Instant renewalTime) {
    lease =
        new ReadResult.Found<>(
            TestObjects.lease(meta("n"))
                .holder("n")
                .durationSeconds(40)
                .renewedMicros(renewalTime.toEpochMilli() * 1000)
                .build());
  }

  private boolean isDead() {
    return fencing.assess("n") instanceof Verdict.Dead;
  }

  /** Checks every two seconds, and returns whether the node was found dead in that time. */
  private boolean isFoundDeadWithin(int seconds) {
    for (int i = 0; i < seconds; i += 2) {
      if (isDead()) {
        return true;
      }
      time.advance(Duration.ofSeconds(2));
    }
    return isDead();
  }

  @Test
  void assess_leaseNotRenewedForDuration_isDead() {
    putNode("Unknown");
    renewLease(time.now().minusSeconds(41));
    assertThat(isFoundDeadWithin(38)).as("a renewal may be due now").isFalse();
    assertThat(isFoundDeadWithin(2)).isTrue();
  }

  /** The container runtime is not ready, and the kubelet renews the Lease every ten seconds. */
  @ParameterizedTest
  @ValueSource(ints = {-3600, 0, 20, 29, 31, 37, 40, 60, 3600})
  void assess_leaseRenewedByDifferentClock_isNotDead(int secondsBehind) {
    putNode("False");
    for (int i = 0; i < 60; i++) {
      renewLease(time.now().minusSeconds(secondsBehind));
      assertThat(isFoundDeadWithin(8)).isFalse();
      time.advance(Duration.ofSeconds(2));
    }
  }

  @Test
  void assess_leaseRenewed_restartsWatch() {
    putNode("Unknown");
    renewLease(time.now().minusSeconds(50));
    assertThat(isFoundDeadWithin(36)).isFalse();
    renewLease(time.now().minusSeconds(41));
    assertThat(isFoundDeadWithin(38)).isFalse();
    assertThat(isFoundDeadWithin(2)).isTrue();
  }

  @Test
  void assess_readyNode_isNotDead() {
    putNode("True");
    renewLease(time.now().minusSeconds(1000));
    assertThat(isFoundDeadWithin(60)).isFalse();
  }

  /** The kubelet had no server for its renewals either. */
  @Test
  void assess_unansweredRead_restartsWatch() {
    putNode("Unknown");
    renewLease(time.now());
    assertThat(isFoundDeadWithin(30)).isFalse();
    ReadResult<Lease> leaseBefore = lease;
    lease = new ReadResult.Failed<>("no answer");
    assertThat(isFoundDeadWithin(60)).isFalse();
    lease = leaseBefore;
    assertThat(isFoundDeadWithin(38)).isFalse();
    time.advance(Duration.ofMinutes(10)); // the process was suspended
    assertThat(isFoundDeadWithin(38)).isFalse();
    assertThat(isFoundDeadWithin(2)).isTrue();
  }
}
