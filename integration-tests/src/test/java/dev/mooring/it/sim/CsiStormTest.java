package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Seeded lives of claims of a CSI driver, {@code -Dmooring.csi.lives=100000} for so many, {@code
 * -Dmooring.csi.group.lives} for those with snapshots; {@link Schedules} says how to run others.
 */
class CsiStormTest {
  private static final long LIVES = Long.getLong("mooring.csi.lives", 1500);
  private static final long OF_ONE = 17; // on average there are a few more

  private static final long GROUP_LIVES = Long.getLong("mooring.csi.group.lives", 1500);
  private static final long OF_ONE_WITH_GROUPS = 30;

  private static final Schedules<CsiWorld> SCHEDULES = new Schedules<>(CsiWorld::new);

  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void nothingIsMadeTwiceLeftBehindOrTakenFromAnybody() {
    AtomicLong lives = new AtomicLong();
    AtomicLong made = new AtomicLong();
    AtomicLong calls = new AtomicLong();
    SCHEDULES.playMany(
        LIVES / OF_ONE + 1,
        world -> {
          lives.addAndGet(world.lives());
          made.addAndGet(world.made());
          calls.addAndGet(world.calls());
        });
    System.out.printf(
        "%d lives, %d volumes made, %d calls%n", lives.get(), made.get(), calls.get());
    // schedules in which nothing happens prove nothing
    assertThat(lives.get()).isGreaterThan(LIVES * 9 / 10);
    assertThat(made.get()).isGreaterThan(LIVES / 4);
  }

  /** With snapshots of single claims and of groups, which come, are cut, bound and go as well. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noSnapshotIsCutTwiceLeftBehindOrTakenFromAnybody() {
    AtomicLong lives = new AtomicLong();
    AtomicLong cut = new AtomicLong();
    AtomicLong calls = new AtomicLong();
    SCHEDULES.playManyWide(
        GROUP_LIVES / OF_ONE_WITH_GROUPS + 1,
        world -> {
          lives.addAndGet(world.lives());
          cut.addAndGet(world.cut());
          calls.addAndGet(world.calls());
        });
    System.out.printf(
        "%d lives, %d snapshots cut, %d calls%n", lives.get(), cut.get(), calls.get());
    assertThat(lives.get()).isGreaterThan(GROUP_LIVES * 9 / 10);
    assertThat(cut.get()).isGreaterThan(GROUP_LIVES / 10);
  }

  /** For {@link Schedules#historiesElsewhere}. */
  public static void main(String... none) {
    SCHEDULES.histories().forEach(System.out::println);
  }

  @Test
  void aSeedIsASchedule() throws Exception {
    List<String> histories = SCHEDULES.histories();
    assertThat(SCHEDULES.histories()).isEqualTo(histories);
    assertThat(Schedules.historiesElsewhere(CsiStormTest.class)).isEqualTo(histories);
  }
}
