package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeded schedules of the binder; {@link Schedules} says how to run others. */
class SimTest {
  private static final Schedules<World> SCHEDULES = new Schedules<>(World::new);

  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noScheduleBreaksAnInvariant() {
    SCHEDULES.playAll(world -> {});
  }

  /** Administrators take volumes away and keep them, and the scheduler chooses nodes. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noScheduleOfAWiderWorldBreaksAnInvariant() {
    SCHEDULES.playWide();
  }

  /** Watches fall silent, err and are repeated, lists break off, the server is restored. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noScheduleWithAFaultyServerBreaksAnInvariant() {
    SCHEDULES.playFaulty();
  }

  /** Bound claims were Lost: their volumes had come while the watch of volumes was silent. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noTakeoverWithSilentWatchesLosesAClaim() {
    SCHEDULES.playTakeovers();
  }

  /** A volume waited for two minutes after the server had said no twelve times. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void nobodyWaitsForLongAfterAnOutage() {
    SCHEDULES.playOutages();
  }

  /** A request outlives the process that has sent it. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noWriteOfAProcessThatIsGoneBreaksAnInvariant() {
    SCHEDULES.playLate();
  }

  /** The process that has given it up goes on, and may have wanted something else since. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noWriteThatWasGivenUpBreaksAnInvariant() {
    SCHEDULES.playGivenUp();
  }

  /** Seeds that found something once. */
  @ParameterizedTest
  @ValueSource(longs = {8, 460, 2019, 78523, 2100197, 2416898})
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
    assertThat(Schedules.historiesElsewhere(SimTest.class)).isEqualTo(histories);
  }
}
