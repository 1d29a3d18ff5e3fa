package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.FakeDriver;
import dev.mooring.operation.OperationStats;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** spec/csi-bridge.md 2 and its case 48. */
@Timeout(300)
class DriverSessionTest {
  private static final Identity ABLE =
      new Identity("d", "1", Set.of(Ability.CONTROLLER_SERVICE, Ability.CREATE_DELETE_VOLUME));
  private static final Identity LESS_ABLE = new Identity("d", "2", Set.of());

  private final SimTime time = new SimTime();
  private final OperationStats stats = new OperationStats();
  private final FakeDriver driver = new FakeDriver();
  private final DriverSession session = new DriverSession("d", driver, time, stats);
  private final AtomicInteger readied = new AtomicInteger();

  private static <T> Reply<T> refused(StatusCode code) {
    return new Reply.Refused<>(code, "so");
  }

  @BeforeEach
  void theDriverIsAble() {
    driver.identity = new Reply.Ok<>(ABLE);
  }

  private void start() {
    session.onReady(readied::incrementAndGet);
    session.start();
  }

  private void awaitProbes(int count) {
    Patience.until(() -> driver.probes + " probes", () -> driver.probes.get() >= count);
  }

  private void awaitReady(int times) {
    Patience.until(() -> "ready " + readied + " times", () -> readied.get() >= times);
  }

  /** The asking thread sleeps: one timer. */
  private void aSecondLater() {
    Patience.until("it sleeps", () -> time.pending() > 0);
    time.advance(Duration.ofSeconds(1));
  }

  @AfterEach
  void stop() throws InterruptedException {
    session.stop();
  }

  @Test
  void aDriverIsAskedUntilItIsReady() {
    driver.ready = refused(StatusCode.UNAVAILABLE);
    start();
    awaitProbes(1);
    assertThat(session.identity()).isEmpty();
    aSecondLater();
    awaitProbes(2);
    driver.ready = new Reply.Ok<>(false);
    aSecondLater();
    awaitProbes(3);
    driver.ready = new Reply.Ok<>(true);
    aSecondLater();
    awaitReady(1);
    assertThat(session.identity()).contains(ABLE);
    assertThat(session.problem()).isEmpty();
  }

  @Test
  void aDriverOfAnotherNameIsNotUsed() {
    driver.identity = new Reply.Ok<>(new Identity("e", "1", Set.of()));
    start();
    Patience.until(session::problem, () -> session.problem().contains("\"e\""));
    assertThat(session.identity()).isEmpty();
    assertThat(session.problem()).contains("--csi-endpoint");
  }

  @Test
  void aDriverThatWentAwayIsAskedAnewWhatItCanDo() {
    start();
    awaitReady(1);
    driver.identity = new Reply.Ok<>(LESS_ABLE);
    driver.ready = refused(StatusCode.UNAVAILABLE);
    driver.lose();
    assertThat(session.identity()).isEmpty();
    assertThat(session.problem()).isNotEmpty();
    awaitProbes(2);
    driver.ready = new Reply.Ok<>(true);
    aSecondLater();
    awaitReady(2);
    assertThat(session.identity()).contains(LESS_ABLE);
  }

  /** It restarted between two calls: none of them failed. */
  @Test
  void aConnectionThatWasLostIsAnotherDriverUntilItSaysOtherwise() {
    start();
    awaitReady(1);
    for (int life = 2; life < 5; life++) {
      Identity more =
          new Identity("d", "" + life, Set.of(Ability.CONTROLLER_SERVICE, Ability.GET_CAPACITY));
      driver.identity = new Reply.Ok<>(more);
      driver.lose();
      awaitReady(life);
      assertThat(session.identity()).contains(more);
    }
  }

  @Test
  void anotherDriverAtTheSameSocketIsNeverUsed() {
    start();
    awaitReady(1);
    driver.identity = new Reply.Ok<>(new Identity("e", "1", Set.of()));
    driver.lose();
    Patience.until(session::problem, () -> session.problem().contains("\"e\""));
    assertThat(session.identity()).isEmpty();
    assertThat(readied).hasValue(1);
  }

  /** What it said before the connection was lost is an earlier life's word. */
  @Test
  void whatWasSaidBeforeTheConnectionWasLostDoesNotCount() {
    driver.meanwhile =
        () -> {
          if (driver.introductions.get() == 1) {
            driver.identity = new Reply.Ok<>(LESS_ABLE);
            driver.lose();
          }
        };
    start();
    Patience.until("it introduced itself", () -> driver.introductions.get() > 0);
    aSecondLater();
    awaitReady(1);
    assertThat(session.identity()).contains(LESS_ABLE);
    assertThat(readied).hasValue(1);
  }

  @Test
  void aDriverThatAnswersUnavailableIsThereAndNobodyIsWoken() {
    start();
    awaitReady(1);
    driver.delete = refused(StatusCode.UNAVAILABLE);
    for (int i = 0; i < 100; i++) {
      session.call("DeleteVolume", c -> c.deleteVolume("v", Secrets.NONE));
      assertThat(session.identity()).as("call %s", i).contains(ABLE);
      time.advance(Duration.ofMillis(100));
    }
    assertThat(readied).as("what waits has its back-off").hasValue(1);
    assertThat(driver.introductions).as("once a second is often enough").hasValueLessThan(13);
  }

  /** It is overloaded, and says so to every question. */
  @Test
  void oneThatIsUnavailableForEveryQuestionIsThereToo() {
    start();
    awaitReady(1);
    driver.delete = refused(StatusCode.UNAVAILABLE);
    for (int i = 0; i < 100; i++) {
      boolean answers = i % 3 == 0;
      driver.ready = answers ? new Reply.Ok<>(true) : refused(StatusCode.UNAVAILABLE);
      driver.identity = answers ? new Reply.Ok<>(ABLE) : refused(StatusCode.UNAVAILABLE);
      session.call("DeleteVolume", c -> c.deleteVolume("v", Secrets.NONE));
      assertThat(session.identity()).as("call %s", i).contains(ABLE);
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(readied).as("what waits has its back-off").hasValue(1);
  }

  @Test
  void oneThatWasReplacedBehindAProxyIsUsedAsWhatItIsNow() {
    start();
    awaitReady(1);
    driver.identity = new Reply.Ok<>(LESS_ABLE);
    driver.delete = refused(StatusCode.UNAVAILABLE);
    session.call("DeleteVolume", c -> c.deleteVolume("v", Secrets.NONE));
    awaitReady(2);
    assertThat(session.identity()).contains(LESS_ABLE);
  }

  @Test
  void theNodeServiceIsAskedOnlyIfTheControllerDoesNotGrowVolumes() {
    driver.identity =
        new Reply.Ok<>(
            new Identity("d", "1", Set.of(Ability.CONTROLLER_SERVICE, Ability.EXPAND_VOLUME)));
    driver.node = refused(StatusCode.INTERNAL);
    start();
    awaitReady(1);
    assertThat(driver.nodeAsked).hasValue(0);
    driver.identity = new Reply.Ok<>(LESS_ABLE);
    driver.lose();
    awaitReady(2);
    assertThat(driver.nodeAsked).as("it has no controller service").hasValue(0);
  }

  @Test
  void aDriverWhoseNodeServiceFailsCanDoAllElseAndIsAskedAgain() {
    driver.node = refused(StatusCode.INTERNAL);
    start();
    awaitReady(1);
    assertThat(session.identity()).contains(ABLE);
    assertThat(session.problem()).isEmpty();
    driver.node = new Reply.Ok<>(Set.of(Ability.NODE_EXPAND_VOLUME));
    Patience.until(
        "it is asked again",
        () -> {
          time.advance(Duration.ofSeconds(20));
          return readied.get() > 1;
        });
    assertThat(session.identity().orElseThrow().abilities())
        .containsExactlyInAnyOrder(
            Ability.CONTROLLER_SERVICE, Ability.CREATE_DELETE_VOLUME, Ability.NODE_EXPAND_VOLUME);
    assertThat(driver.probes).as("it is not introduced for that").hasValue(1);
  }

  @Test
  void anyOtherRefusalIsTheCallsOwn() {
    start();
    awaitReady(1);
    driver.delete = refused(StatusCode.INTERNAL);
    assertThat(session.call("DeleteVolume", c -> c.deleteVolume("v", Secrets.NONE)))
        .isEqualTo(refused(StatusCode.INTERNAL));
    assertThat(session.identity()).contains(ABLE);
    assertThat(stats.read())
        .singleElement()
        .satisfies(d -> {
          assertThat(d.sort().operation()).isEqualTo("DeleteVolume Internal");
          assertThat(d.sort().succeeded()).isFalse();
        });
  }
}
