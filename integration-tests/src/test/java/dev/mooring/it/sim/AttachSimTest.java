package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeded schedules of attach and detach; {@link Schedules} says how to run others. */
class AttachSimTest {
  private static final Schedules<AttachWorld> SCHEDULES = new Schedules<>(AttachWorld::new);

  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noScheduleBreaksAnInvariant() {
    AtomicLong mounts = new AtomicLong();
    AtomicLong forced = new AtomicLong();
    SCHEDULES.playAll(world -> {
      mounts.addAndGet(world.mounts());
      forced.addAndGet(world.forcedDetaches());
    });
    // schedules in which nothing happens prove nothing
    assertThat(mounts.get()).isGreaterThan(Schedules.COUNT);
    if (Schedules.COUNT >= 1000) {
      assertThat(forced.get()).isGreaterThan(Schedules.COUNT / 100);
    }
    System.out.printf(
        "%d schedules: %d mounts, %d taken by force%n",
        Schedules.COUNT, mounts.get(), forced.get());
  }

  /** Nodes are removed too, or attachments by users. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noScheduleOfAWiderWorldBreaksAnInvariant() {
    SCHEDULES.playWide();
  }

  /** Watches fall silent, err and are repeated, and lists break off. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noScheduleWithAFaultyServerBreaksAnInvariant() {
    SCHEDULES.playFaulty();
  }

  /** A watch that has gone silent looks like one with nothing to tell. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noTakeoverWithSilentWatchesBreaksAnInvariant() {
    SCHEDULES.playTakeovers();
  }

  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void nobodyWaitsForLongAfterAnOutage() {
    SCHEDULES.playOutages();
  }

  /** A VolumeAttachment was made so when its volume was gone already, and stayed for ever. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noWriteOfAProcessThatIsGoneBreaksAnInvariant() {
    SCHEDULES.playLate();
  }

  /** And users remove attachments under running pods. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noWriteOfAProcessThatIsGoneMountsAVolumeTwice() {
    SCHEDULES.playLateAndRemoved();
  }

  /** The process that has given it up goes on, and may have wanted something else since. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noWriteThatWasGivenUpBreaksAnInvariant() {
    SCHEDULES.playGivenUp();
  }

  /** Seeds that found something once. */
  @ParameterizedTest
  @ValueSource(longs = {136, 1115, 724902, 2441121, 2720073, 5040152, 5321245, 5402476, 5741314})
  void whatWasFoundStaysMended(long seed) {
    SCHEDULES.play(seed);
  }

  /** For {@link Schedules#historiesElsewhere}. */
  public static void main(String... none) {
    SCHEDULES.histories().forEach(System.out::println);
  }

  @Test
  void aSeedIsASchedule() throws Exception {
    List<String> histories = SCHEDULES.histories();
    assertThat(SCHEDULES.histories()).isEqualTo(histories);
    assertThat(Schedules.historiesElsewhere(AttachSimTest.class)).isEqualTo(histories);
  }
}
