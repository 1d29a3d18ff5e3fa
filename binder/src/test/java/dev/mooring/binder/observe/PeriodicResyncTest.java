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
          public void claim(ObjectKey claim) {
            requeued.add(claim);
          }

          @Override
          public void volume(ObjectKey volume) {
            requeued.add(volume);
          }
        });
  }

  private static Iterator<ObjectKey> keys(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> ObjectKey.cluster(prefix + i)).iterator();
  }

  /** Steps until a round has ended; returns its duration. */
  private Duration round(PeriodicResync resync) {
    Duration took = Duration.ZERO;
    Duration next = resync.step();
    while (next.equals(PeriodicResync.PAUSE)) {
      time.advance(next);
      took = took.plus(next);
      next = resync.step();
    }
    assertThat(took.plus(next)).as("from round to round").isEqualTo(PERIOD);
    return took;
  }

  @Test
  void step_fewObjects_areQueuedAtOnceClaimsFirst() {
    PeriodicResync resync = of(2, 3);
    assertThat(round(resync)).isEqualTo(Duration.ZERO);
    assertThat(requeued).extracting(ObjectKey::name).containsExactly("c0", "c1", "v0", "v1", "v2");
    time.advance(PERIOD);
    round(resync);
    assertThat(requeued).hasSize(10);
  }

  @Test
  void step_changedObject_waitsBehindFew() {
    PeriodicResync resync = of(2 * PeriodicResync.AT_ONCE, 1);
    resync.step();
    assertThat(requeued).hasSize(PeriodicResync.AT_ONCE);
  }

  @Test
  void step_manyObjects_arePacedAtTenThousandASecond() {
    Duration took = round(of(20_000, 10_000));
    assertThat(requeued).hasSize(30_000).doesNotHaveDuplicates();
    assertThat(took).isBetween(Duration.ofMillis(2900), Duration.ofSeconds(3));
  }

  @Test
  void step_roundLongerThanThePeriod_isFollowedByTheNext() {
    int size = 16 * 10_000;
    PeriodicResync resync = of(size, 0);
    while (requeued.size() < size) {
      time.advance(resync.step());
    }
    assertThat(resync.step()).isEqualTo(PeriodicResync.PAUSE);
    assertThat(requeued).hasSize(size + PeriodicResync.AT_ONCE);
  }
}
