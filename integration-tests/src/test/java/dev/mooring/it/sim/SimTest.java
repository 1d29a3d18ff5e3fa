package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seeded schedules of the binder. {@code -Dmooring.sim.schedules=N -Dmooring.sim.first=SEED} runs
 * others; a seed that fails is named and replays alone, in a debugger too.
 */
class SimTest {
  private static final long FIRST = Long.getLong("mooring.sim.first", 1);
  private static final long SCHEDULES = Long.getLong("mooring.sim.schedules", 2000);

  private static void play(long seed) {
    World world = new World(seed);
    try {
      world.run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed " + seed + ": " + e.getMessage() + "\nlast steps:\n" + world.history(), e);
    }
  }

  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noScheduleBreaksAnInvariant() {
    LongStream.range(FIRST, FIRST + SCHEDULES).parallel().forEach(SimTest::play);
  }

  /** Seeds that found something once. */
  @ParameterizedTest
  @ValueSource(longs = {8, 460, 2019, 78523})
  void whatWasFoundStaysMended(long seed) {
    play(seed);
  }

  @Test
  void aSeedIsASchedule() {
    World one = new World(7);
    one.run();
    World two = new World(7);
    two.run();
    assertThat(two.history()).isEqualTo(one.history());
  }
}
