package dev.mooring.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Uid;
import dev.mooring.storage.DeletionBreaker.Admission;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeletionBreakerTest {
  private final SimTime time = new SimTime();
  private final DeletionBreaker breaker = new DeletionBreaker(3, Duration.ofMinutes(10), time);
  private int last;

  private Uid nextVolume() {
    last++;
    return Uid.of("v" + last);
  }

  private void destroyVolumes(int volumes) throws InterruptedException {
    for (int i = 0; i < volumes; i++) {
      Uid volume = nextVolume();
      assertThat(breaker.admit(volume)).isEqualTo(Admission.GRANTED);
      breaker.recordDestroyed(volume);
    }
  }

  @Test
  void admit_limitReached_holdsUntilResumed() throws InterruptedException {
    destroyVolumes(3);
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
    time.advance(Duration.ofHours(1));
    assertThat(breaker.admit(nextVolume())).as("an hour later").isEqualTo(Admission.HELD);
    assertThat(breaker.isHolding()).isTrue();
    assertThat(breaker.tripCount()).isOne();
    assertThat(breaker.describeHold())
        .startsWith("3 volumes or snapshots have been destroyed within 10 min");
  }

  @Test
  void admit_limitPerWindowNotExceeded_grants() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      destroyVolumes(3);
      time.advance(Duration.ofMinutes(10));
    }
  }

  @Test
  void admit_deletionsLeaveWindow_grants() throws InterruptedException {
    destroyVolumes(2);
    time.advance(Duration.ofMinutes(9));
    destroyVolumes(1);
    time.advance(Duration.ofMinutes(1));
    destroyVolumes(2);
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
  }

  @Test
  void resume_afterHold_resetsCount() throws InterruptedException {
    destroyVolumes(3);
    breaker.admit(nextVolume());
    breaker.resume();
    destroyVolumes(3);
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.HELD);
    assertThat(breaker.tripCount()).isEqualTo(2);
  }

  @Test
  void failedDeletion_manyTimes_doesNotCount() throws InterruptedException {
    for (int i = 0; i < 50; i++) {
      Uid volume = i % 2 == 0 ? Uid.of("stubborn") : nextVolume();
      assertThat(breaker.admit(volume)).isEqualTo(Admission.GRANTED);
      breaker.recordNotDestroyed(volume);
    }
    destroyVolumes(3);
  }

  @Test
  void destroyed_sameVolumeRepeatedly_countsOnce() throws InterruptedException {
    Uid repeatedVolume = nextVolume();
    for (int i = 0; i < 50; i++) {
      assertThat(breaker.admit(repeatedVolume)).isEqualTo(Admission.GRANTED);
      breaker.recordDestroyed(repeatedVolume);
    }
    destroyVolumes(2);
  }

  @Test
  void admit_deletionsInProgressReachLimit_isFullWithoutHold() throws InterruptedException {
    Uid first = nextVolume();
    assertThat(breaker.admit(first)).isEqualTo(Admission.GRANTED);
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.GRANTED);
    assertThat(breaker.admit(nextVolume())).isEqualTo(Admission.GRANTED);
    Uid waiting = nextVolume();
    assertThat(breaker.admit(waiting)).isEqualTo(Admission.FULL);
    assertThat(breaker.isHolding()).isFalse();
    breaker.recordNotDestroyed(first);
    assertThat(breaker.admit(waiting)).isEqualTo(Admission.GRANTED);
  }

  @Test
  void admit_noLimit_grants() throws InterruptedException {
    DeletionBreaker unlimited = new DeletionBreaker(0, Duration.ofMinutes(10), time);
    for (int i = 0; i < 10_000; i++) {
      Uid volume = nextVolume();
      assertThat(unlimited.admit(volume)).isEqualTo(Admission.GRANTED);
      unlimited.recordDestroyed(volume);
    }
  }
}
