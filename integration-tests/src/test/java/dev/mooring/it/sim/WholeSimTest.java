package dev.mooring.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeded schedules of all controllers at once; {@link Schedules} says how to run others. */
class WholeSimTest {
  private static final Schedules<WholeWorld> SCHEDULES = new Schedules<>(WholeWorld::new);

  /** Fewer schedules may happen to have nothing of what is looked for. */
  private static final int MANY = 20;

  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noScheduleBreaksAnInvariant() {
    AtomicLong mounts = new AtomicLong();
    AtomicLong grown = new AtomicLong();
    SCHEDULES.playHalf(world -> {
      mounts.addAndGet(world.mounts());
      grown.addAndGet(world.storage().grown());
    });
    // schedules in which nothing happens prove nothing
    if (Schedules.COUNT >= MANY) {
      assertThat(mounts.get()).isGreaterThan(Schedules.COUNT / 2);
      assertThat(grown.get()).isGreaterThan(Schedules.COUNT / 10);
    }
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
    SCHEDULES.playSomeTakeovers();
  }

  /** A request outlives the process that has sent it. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noWriteOfAProcessThatIsGoneBreaksAnInvariant() {
    SCHEDULES.playSomeLate();
  }

  /** {@code --compat=kcm}: what of that Kubernetes promises, and that it comes to rest. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noScheduleOfControllersLikeKubernetesBreaksWhatTheyPromise() {
    SCHEDULES.playKubernetes();
  }

  /** The process that has given it up goes on, and may have wanted something else since. */
  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void noWriteThatWasGivenUpBreaksAnInvariant() {
    SCHEDULES.playSomeGivenUp();
  }

  /**
   * A CSI driver makes, grows and attaches volumes beside a plugin, whatever else happens: the
   * sidecars' controllers and Kubernetes' meet at the same claims, volumes and attachments.
   */
  @ParameterizedTest
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  @ValueSource(
      longs = {
        0,
        Schedules.WIDE,
        Schedules.FAULTY,
        Schedules.TAKEOVERS,
        Schedules.LATE,
        Schedules.GIVEN_UP,
        Schedules.KUBERNETES
      })
  void noScheduleWithCsiDriverBreaksAnInvariant(long mode) {
    AtomicLong played = new AtomicLong();
    AtomicLong published = new AtomicLong();
    AtomicLong slow = new AtomicLong();
    SCHEDULES.playDriven(
        mode,
        world -> {
          played.incrementAndGet();
          published.addAndGet(world.storage().driven());
          slow.addAndGet(world.storage().slow());
        });
    if (played.get() >= MANY) {
      assertThat(published.get()).isGreaterThan(played.get());
      assertThat(slow.get()).isGreaterThan(played.get() / 4);
    }
  }

  /** Seeds that found something once: dangling attachments, and a growth that was forgotten. */
  @ParameterizedTest
  @ValueSource(
      longs = {4, 13, 701804, 723230, 2000001, 2000006, 2700773, 2720859, 3000008, 5000008})
  void whatWasFoundStaysMended(long seed) {
    SCHEDULES.play(seed);
  }

  /** For {@link Schedules#historiesElsewhere}. */
  public static void main(String... none) {
    histories().forEach(System.out::println);
  }

  private static List<String> histories() {
    return Stream.of(1L, Schedules.DRIVEN + 1)
        .flatMap(first -> SCHEDULES.histories(first).stream())
        .toList();
  }

  @Test
  void aSeedIsASchedule() throws Exception {
    List<String> histories = histories();
    assertThat(histories()).isEqualTo(histories);
    assertThat(Schedules.historiesElsewhere(WholeSimTest.class)).isEqualTo(histories);
  }
}
