package dev.mooring.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.FakeDriver;
import dev.mooring.operation.OperationStats;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** spec/csi-bridge.md 2 and its case 48. */
@Timeout(60)
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
    while (driver.probes.get() < count) {
      Thread.onSpinWait();
    }
  }

  private void awaitReady(int times) {
    while (readied.get() < times) {
      Thread.onSpinWait();
    }
  }

  /** The asking thread sleeps: one timer. */
  private void aSecondLater() {
    while (time.pending() == 0) {
      Thread.onSpinWait();
    }
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
    while (!session.problem().contains("\"e\"")) {
      Thread.onSpinWait();
    }
    assertThat(session.identity()).isEmpty();
    assertThat(session.problem()).contains("--csi-endpoint");
  }

  @Test
  void aDriverThatWentAwayIsAskedAnewWhatItCanDo() {
    start();
    awaitReady(1);
    driver.identity = new Reply.Ok<>(LESS_ABLE);
    driver.ready = refused(StatusCode.UNAVAILABLE);
    driver.delete = refused(StatusCode.UNAVAILABLE);
    session.call("DeleteVolume", c -> c.deleteVolume("v", Secrets.NONE));
    assertThat(session.identity()).isEmpty();
    awaitProbes(2);
    driver.ready = new Reply.Ok<>(true);
    aSecondLater();
    awaitReady(2);
    assertThat(session.identity()).contains(LESS_ABLE);
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
    assertThat(driver.probes).as("once a second is often enough").hasValueLessThan(13);
  }

  @Test
  void oneThatWasReplacedMeanwhileIsUsedAsWhatItIsNow() {
    start();
    awaitReady(1);
    driver.identity = new Reply.Ok<>(LESS_ABLE);
    driver.delete = refused(StatusCode.UNAVAILABLE);
    session.call("DeleteVolume", c -> c.deleteVolume("v", Secrets.NONE));
    awaitReady(2);
    assertThat(session.identity()).contains(LESS_ABLE);
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
