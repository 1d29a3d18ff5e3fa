package dev.mooring.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Uid;
import dev.mooring.operation.Brake.Admission;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BrakeTest {
  private final SimTime time = new SimTime();
  private final Brake brake = new Brake(3, Duration.ofMinutes(10), time);
  private int last;

  private Uid another() {
    last++;
    return Uid.of("v" + last);
  }

  private void destroys(int volumes) {
    for (int i = 0; i < volumes; i++) {
      Uid volume = another();
      assertThat(brake.admit(volume)).isEqualTo(Admission.GRANTED);
      brake.destroyed(volume);
    }
  }

  @Test
  void stopsAtTheLimitAndStaysStopped() {
    destroys(3);
    assertThat(brake.admit(another())).isEqualTo(Admission.HELD);
    time.advance(Duration.ofHours(1));
    assertThat(brake.admit(another()))
        .as("time alone does not release it")
        .isEqualTo(Admission.HELD);
    assertThat(brake.isHolding()).isTrue();
    assertThat(brake.trips()).isOne();
    assertThat(brake.told()).startsWith("3 volumes have been destroyed within 10 min");
  }

  @Test
  void anUsualPaceNeverStops() {
    for (int i = 0; i < 20; i++) {
      destroys(3);
      time.advance(Duration.ofMinutes(10));
    }
  }

  @Test
  void theWindowSlides() {
    destroys(2);
    time.advance(Duration.ofMinutes(9));
    destroys(1);
    time.advance(Duration.ofMinutes(1));
    destroys(2);
    assertThat(brake.admit(another())).isEqualTo(Admission.HELD);
  }

  @Test
  void resumingCountsFromNothing() {
    destroys(3);
    brake.admit(another());
    brake.resume();
    destroys(3);
    assertThat(brake.admit(another())).isEqualTo(Admission.HELD);
    assertThat(brake.trips()).isEqualTo(2);
  }

  @Test
  void refusalsDoNotCount() {
    for (int i = 0; i < 50; i++) {
      Uid volume = i % 2 == 0 ? Uid.of("stubborn") : another();
      assertThat(brake.admit(volume)).isEqualTo(Admission.GRANTED);
      brake.spared(volume);
    }
    destroys(3);
  }

  @Test
  void oneVolumeCountsOnceHoweverOftenItIsDestroyed() {
    Uid lingering = another();
    for (int i = 0; i < 50; i++) {
      assertThat(brake.admit(lingering)).isEqualTo(Admission.GRANTED);
      brake.destroyed(lingering);
    }
    destroys(2);
  }

  @Test
  void thoseThatAreBeingDestroyedCannotExceedTheLimitAndDoNotTrip() {
    Uid first = another();
    assertThat(brake.admit(first)).isEqualTo(Admission.GRANTED);
    assertThat(brake.admit(another())).isEqualTo(Admission.GRANTED);
    assertThat(brake.admit(another())).isEqualTo(Admission.GRANTED);
    Uid waiting = another();
    assertThat(brake.admit(waiting)).isEqualTo(Admission.FULL);
    assertThat(brake.isHolding()).isFalse();
    brake.spared(first);
    assertThat(brake.admit(waiting)).isEqualTo(Admission.GRANTED);
  }

  @Test
  void zeroSwitchesItOff() {
    Brake off = new Brake(0, Duration.ofMinutes(10), time);
    for (int i = 0; i < 10_000; i++) {
      Uid volume = another();
      assertThat(off.admit(volume)).isEqualTo(Admission.GRANTED);
      off.destroyed(volume);
    }
  }
}
