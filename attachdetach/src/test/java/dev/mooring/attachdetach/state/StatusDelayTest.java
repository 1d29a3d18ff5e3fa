package dev.mooring.attachdetach.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Without the delay, each attach would write the node's whole volumesAttached list. */
class StatusDelayTest {
  private static final VolumeId V = VolumeId.csi("d", "v");
  private static final VolumeId W = VolumeId.csi("d", "w");

  private final ActualStateOfWorld actual = new StateOfWorld().actual();

  @BeforeEach
  void attachTwoVolumes() {
    actual.setAttached(V, "n1", "", null);
    actual.setUncertain(W, "n1", null);
  }

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  private Duration delayAt(long millis) {
    return actual.findStatusDelay("n1", millis(millis));
  }

  private void write(long startMillis, long endMillis) {
    actual.recordStatusWriteStart("n1", millis(startMillis));
    actual.recordStatusWriteEnd("n1", millis(endMillis));
  }

  @Test
  void findStatusDelay_firstWrite_isZero() {
    assertThat(delayAt(0)).isZero();
  }

  @Test
  void findStatusDelay_attachPending_allowsTenWritesASecond() {
    write(0, 20);
    assertThat(delayAt(30)).isEqualTo(Duration.ofMillis(70));
    assertThat(delayAt(100)).isZero();
    assertThat(actual.findStatusDelay("n2", millis(30))).as("another node").isZero();
  }

  @Test
  void findStatusDelay_slowWrite_allowsWritesForAThirdOfTheTime() {
    write(0, 200);
    assertThat(delayAt(200)).isEqualTo(Duration.ofMillis(400));
    assertThat(delayAt(600)).isZero();
  }

  @Test
  void findStatusDelay_writeRunsAfterSlowWrite_countsFromItsStart() {
    write(0, 200);
    actual.recordStatusWriteStart("n1", millis(600));
    assertThat(delayAt(700)).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void findStatusDelay_verySlowWrite_isAtMostOneSecond() {
    write(0, 120_000);
    write(120_000, 120_100);
    assertThat(delayAt(120_100)).isEqualTo(Duration.ofMillis(200));
    write(130_000, 130_900);
    assertThat(delayAt(130_900)).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void findStatusDelay_noAttachPending_isZero() {
    write(0, 200);
    actual.setAttached(W, "n1", "", null);
    assertThat(delayAt(200)).isZero();
  }

  @Test
  void findStatusDelay_lastVolumeDetached_forgetsWrites() {
    write(0, 200);
    actual.remove(V, "n1");
    actual.remove(W, "n1");
    actual.setUncertain(W, "n1", null);
    assertThat(delayAt(200)).isZero();
  }
}
