package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seeded schedules of attach and detach; {@code -Dmooring.sim.schedules=N -Dmooring.sim.first=SEED}
 * as for {@link SimTest}.
 */
class AttachSimTest {
  private static final long FIRST = Long.getLong("mooring.sim.first", 1);
  private static final long SCHEDULES = Long.getLong("mooring.sim.schedules", 2000);

  private static final AtomicLong MOUNTS = new AtomicLong();
  private static final AtomicLong FORCED = new AtomicLong();

  private static void play(long seed) {
    AttachWorld world = new AttachWorld(seed);
    try {
      world.run();
      MOUNTS.addAndGet(world.mounts());
      FORCED.addAndGet(world.forcedDetaches());
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed " + seed + ": " + e.getMessage() + "\nlast steps:\n" + world.history(), e);
    }
  }

  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noScheduleBreaksAnInvariant() {
    LongStream.range(FIRST, FIRST + SCHEDULES).parallel().forEach(AttachSimTest::play);
    // schedules in which nothing happens prove nothing
    assertThat(MOUNTS.get()).isGreaterThan(SCHEDULES);
    if (SCHEDULES >= 1000) {
      assertThat(FORCED.get()).isGreaterThan(SCHEDULES / 100);
    }
    System.out.printf(
        "%d schedules: %d mounts, %d taken by force%n", SCHEDULES, MOUNTS.get(), FORCED.get());
  }

  /** Seeds that found something once. */
  @ParameterizedTest
  @ValueSource(longs = {1115})
  void whatWasFoundStaysMended(long seed) {
    play(seed);
  }

  @Test
  void aSeedIsASchedule() {
    AttachWorld one = new AttachWorld(7);
    one.run();
    AttachWorld two = new AttachWorld(7);
    two.run();
    assertThat(two.history()).isEqualTo(one.history());
  }
}
