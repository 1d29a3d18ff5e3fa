package dev.mooring.binder.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.state.RequeueTarget;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeriodicResyncTest {
  private static final Duration PERIOD = Duration.ofSeconds(15);

  private final SimTime time = new SimTime();
  private final List<ObjectKey> requeued = new ArrayList<>();

  private PeriodicResync of(int claims, int volumes) {
    return new PeriodicResync(
        PERIOD,
        time,
        () -> keys("c", claims),
        () -> keys("v", volumes),
        new RequeueTarget() {
          @Override
          public void requeueClaim(ObjectKey claim) {
            requeued.add(claim);
          }

          @Override
          public void requeueVolume(ObjectKey volume) {
            requeued.add(volume);
          }
        });
  }

  private static Iterator<ObjectKey> keys(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> ObjectKey.cluster(prefix + i)).iterator();
  }

  /** Steps until a round has ended; returns its duration. */
  private Duration runRound(PeriodicResync resync) {
    Duration took = Duration.ZERO;
    Duration next = resync.requeueBatch();
    while (next.equals(PeriodicResync.PAUSE)) {
      time.advance(next);
      took = took.plus(next);
      next = resync.requeueBatch();
    }
    assertThat(took.plus(next)).as("from round to round").isEqualTo(PERIOD);
    return took;
  }

  @Test
  void requeueBatch_fewObjects_areQueuedAtOnceClaimsFirst() {
    PeriodicResync resync = of(2, 3);
    assertThat(runRound(resync)).isEqualTo(Duration.ZERO);
    assertThat(requeued).extracting(ObjectKey::name).containsExactly("c0", "c1", "v0", "v1", "v2");
    time.advance(PERIOD);
    runRound(resync);
    assertThat(requeued).hasSize(10);
  }

  @Test
  void requeueBatch_manyObjects_queuesOneBatchPerCall() {
    PeriodicResync resync = of(2 * PeriodicResync.BATCH_SIZE, 1);
    resync.requeueBatch();
    assertThat(requeued).hasSize(PeriodicResync.BATCH_SIZE);
  }

  @Test
  void requeueBatch_manyObjects_arePacedAtTenThousandASecond() {
    Duration took = runRound(of(20_000, 10_000));
    assertThat(requeued).hasSize(30_000).doesNotHaveDuplicates();
    assertThat(took).isBetween(Duration.ofMillis(2900), Duration.ofSeconds(3));
  }

  @Test
  void requeueBatch_roundLongerThanThePeriod_isFollowedByTheNext() {
    int size = 16 * 10_000;
    PeriodicResync resync = of(size, 0);
    while (requeued.size() < size) {
      time.advance(resync.requeueBatch());
    }
    assertThat(resync.requeueBatch()).isEqualTo(PeriodicResync.PAUSE);
    assertThat(requeued).hasSize(size + PeriodicResync.BATCH_SIZE);
  }
}
