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

  private Uid another() {
    last++;
    return Uid.of("v" + last);
  }

  private void destroys(int volumes) throws InterruptedException {
    for (int i = 0; i < volumes; i++) {
      Uid volume = another();
      assertThat(breaker.admit(volume)).isEqualTo(Admission.GRANTED);
      breaker.destroyed(volume);
    }
  }

  @Test
  void stopsAtTheLimitAndStaysStopped() throws InterruptedException {
    destroys(3);
    assertThat(breaker.admit(another())).isEqualTo(Admission.HELD);
    time.advance(Duration.ofHours(1));
    assertThat(breaker.admit(another()))
        .as("time alone does not release it")
        .isEqualTo(Admission.HELD);
    assertThat(breaker.isHolding()).isTrue();
    assertThat(breaker.trips()).isOne();
    assertThat(breaker.told())
        .startsWith("3 volumes or snapshots have been destroyed within 10 min");
  }

  @Test
  void anUsualPaceNeverStops() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      destroys(3);
      time.advance(Duration.ofMinutes(10));
    }
  }

  @Test
  void theWindowSlides() throws InterruptedException {
    destroys(2);
    time.advance(Duration.ofMinutes(9));
    destroys(1);
    time.advance(Duration.ofMinutes(1));
    destroys(2);
    assertThat(breaker.admit(another())).isEqualTo(Admission.HELD);
  }

  @Test
  void resumingCountsFromNothing() throws InterruptedException {
    destroys(3);
    breaker.admit(another());
    breaker.resume();
    destroys(3);
    assertThat(breaker.admit(another())).isEqualTo(Admission.HELD);
    assertThat(breaker.trips()).isEqualTo(2);
  }

  @Test
  void refusalsDoNotCount() throws InterruptedException {
    for (int i = 0; i < 50; i++) {
      Uid volume = i % 2 == 0 ? Uid.of("stubborn") : another();
      assertThat(breaker.admit(volume)).isEqualTo(Admission.GRANTED);
      breaker.spared(volume);
    }
    destroys(3);
  }

  @Test
  void oneVolumeCountsOnceHoweverOftenItIsDestroyed() throws InterruptedException {
    Uid lingering = another();
    for (int i = 0; i < 50; i++) {
      assertThat(breaker.admit(lingering)).isEqualTo(Admission.GRANTED);
      breaker.destroyed(lingering);
    }
    destroys(2);
  }

  @Test
  void thoseThatAreBeingDestroyedCannotExceedTheLimitAndDoNotTrip() throws InterruptedException {
    Uid first = another();
    assertThat(breaker.admit(first)).isEqualTo(Admission.GRANTED);
    assertThat(breaker.admit(another())).isEqualTo(Admission.GRANTED);
    assertThat(breaker.admit(another())).isEqualTo(Admission.GRANTED);
    Uid waiting = another();
    assertThat(breaker.admit(waiting)).isEqualTo(Admission.FULL);
    assertThat(breaker.isHolding()).isFalse();
    breaker.spared(first);
    assertThat(breaker.admit(waiting)).isEqualTo(Admission.GRANTED);
  }

  @Test
  void zeroSwitchesItOff() throws InterruptedException {
    DeletionBreaker off = new DeletionBreaker(0, Duration.ofMinutes(10), time);
    for (int i = 0; i < 10_000; i++) {
      Uid volume = another();
      assertThat(off.admit(volume)).isEqualTo(Admission.GRANTED);
      off.destroyed(volume);
    }
  }
}
