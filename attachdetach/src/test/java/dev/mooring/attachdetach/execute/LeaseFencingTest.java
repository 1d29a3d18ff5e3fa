package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.LeaseCheck;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.NodeFencing.Verdict;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LeaseFencingTest {
  private final SimTime time = new SimTime();
  private ReadResult<Node> node = new ReadResult.Absent<>();
  private ReadResult<Lease> lease = new ReadResult.Absent<>();

  private final LeaseFencing fencing =
      new LeaseFencing(
          new FaultyCluster().onRead(request -> request.kind().equals(Kind.NODE) ? node : lease),
          time);

  private static Meta meta(String name) {
    return Builders.metaOf(ObjectKey.cluster(name)).uid("u").created(1).meta();
  }

  private void node(String ready) {
    node = new ReadResult.Found<>(Builders.node(meta("n")).ready(ready).build());
  }

  private void renewed(Instant when) {
    lease =
        new ReadResult.Found<>(
            Builders.lease(meta("n"))
                .holder("n")
                .durationSeconds(40)
                .renewedMicros(when.toEpochMilli() * 1000)
                .build());
  }

  private boolean isDead() {
    return fencing.assess("n") instanceof Verdict.Dead;
  }

  @Test
  void aLeaseThatRanOutAndIsNotRenewedWhileWatched() {
    node("Unknown");
    renewed(time.now().minusSeconds(41));
    assertThat(isDead()).as("it may be renewed in this moment").isFalse();
    time.advance(LeaseCheck.WATCHED);
    assertThat(isDead()).isTrue();
  }

  @Test
  void aRenewalBeginsTheWatchAnew() {
    node("Unknown");
    renewed(time.now().minusSeconds(50));
    isDead();
    time.advance(LeaseCheck.WATCHED.minusMillis(1));
    renewed(time.now().minusSeconds(41)); // a kubelet whose clock is behind
    time.advance(Duration.ofMillis(1));
    assertThat(isDead()).isFalse();
  }

  @Test
  void aNodeThatSaysItIsReadyIsNotDead() {
    node("True");
    renewed(time.now().minusSeconds(1000));
    isDead();
    time.advance(LeaseCheck.WATCHED);
    assertThat(isDead()).isFalse();
  }

  @Test
  void aLeaseThatHolds() {
    node("Unknown");
    renewed(time.now().minusSeconds(39));
    isDead();
    time.advance(Duration.ofMillis(900));
    assertThat(isDead()).isFalse();
  }

  @Test
  void noAnswerAndNoLeaseProveNothing() {
    node("Unknown");
    assertThat(isDead()).isFalse();
    lease = new ReadResult.Failed<>("no answer");
    time.advance(Duration.ofMinutes(1));
    assertThat(isDead()).isFalse();
    renewed(time.now().minusSeconds(1000));
    node = new ReadResult.Failed<>("no answer");
    isDead();
    time.advance(Duration.ofMinutes(1));
    assertThat(isDead()).isFalse();
  }
}
