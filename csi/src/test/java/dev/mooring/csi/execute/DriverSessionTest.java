package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.state.DriverPace;
import dev.mooring.operation.OperationStats;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DriverSessionTest {
  private static final DriverIdentity ABLE =
      new DriverIdentity(
          "d",
          "1",
          Set.of(DriverCapability.CONTROLLER_SERVICE, DriverCapability.CREATE_DELETE_VOLUME));
  private static final DriverIdentity LESS_ABLE = new DriverIdentity("d", "2", Set.of());

  private final SimTime time = new SimTime();
  private final OperationStats stats = new OperationStats();
  private final FakeDriver driver = new FakeDriver();
  private final DriverSession session = new DriverSession("d", driver, time, stats);
  private final AtomicInteger readyCount = new AtomicInteger();

  private static <T> DriverReply<T> refusal(StatusCode code) {
    return new DriverReply.Refused<>(code, "so");
  }

  @BeforeEach
  void setUpDriver() {
    driver.identity = new DriverReply.Ok<>(ABLE);
  }

  private void start() {
    session.onReady(readyCount::incrementAndGet);
    session.start();
  }

  private void awaitProbes(int count) {
    TestWait.until(() -> driver.probes + " probes", () -> driver.probes.get() >= count);
  }

  private void awaitReady(int times) {
    TestWait.until(() -> "ready " + readyCount + " times", () -> readyCount.get() >= times);
  }

  /** Waits for the probing thread's timer and lets it elapse. */
  private void advanceOneSecond() {
    TestWait.until("the probing thread sleeps", () -> time.pendingTimers() > 0);
    time.advance(Duration.ofSeconds(1));
  }

  @Test
  void call_driverRefusesMany_limitsCallsOfItsKind() {
    for (int i = 0; i < 3; i++) {
      session.call("DeleteVolume", connection -> refusal(StatusCode.RESOURCE_EXHAUSTED));
    }
    assertThat(session.pace().limits())
        .extracting(DriverPace.Limit::lane)
        .containsExactly(DriverPace.Lane.DELETE);
  }

  @AfterEach
  void stop() throws InterruptedException {
    session.stop();
  }

  @Test
  void probe_driverNotReady_isRepeated() {
    driver.ready = refusal(StatusCode.UNAVAILABLE);
    start();
    awaitProbes(1);
    assertThat(session.identity()).isEmpty();
    advanceOneSecond();
    awaitProbes(2);
    driver.ready = new DriverReply.Ok<>(false);
    advanceOneSecond();
    awaitProbes(3);
    driver.ready = new DriverReply.Ok<>(true);
    advanceOneSecond();
    awaitReady(1);
    assertThat(session.identity()).contains(ABLE);
    assertThat(session.problem()).isEmpty();
  }

  @Test
  void identity_otherDriverName_isRejected() {
    driver.identity = new DriverReply.Ok<>(new DriverIdentity("e", "1", Set.of()));
    start();
    TestWait.until(session::problem, () -> session.problem().contains("\"e\""));
    assertThat(session.identity()).isEmpty();
    assertThat(session.problem()).contains("--csi-endpoint");
  }

  @Test
  void connection_lostAndDriverUnavailable_readsIdentityAgain() {
    start();
    awaitReady(1);
    driver.identity = new DriverReply.Ok<>(LESS_ABLE);
    driver.ready = refusal(StatusCode.UNAVAILABLE);
    driver.lose();
    assertThat(session.identity()).isEmpty();
    assertThat(session.problem()).isNotEmpty();
    awaitProbes(2);
    driver.ready = new DriverReply.Ok<>(true);
    advanceOneSecond();
    awaitReady(2);
    assertThat(session.identity()).contains(LESS_ABLE);
  }

  /** The driver restarted between two calls, and no call failed. */
  @Test
  void connection_lost_readsIdentityAgain() {
    start();
    awaitReady(1);
    for (int life = 2; life < 5; life++) {
      DriverIdentity newIdentity =
          new DriverIdentity(
              "d",
              "" + life,
              Set.of(DriverCapability.CONTROLLER_SERVICE, DriverCapability.GET_CAPACITY));
      driver.identity = new DriverReply.Ok<>(newIdentity);
      driver.lose();
      awaitReady(life);
      assertThat(session.identity()).contains(newIdentity);
    }
  }

  @Test
  void connection_lostToOtherDriver_isNotReady() {
    start();
    awaitReady(1);
    driver.identity = new DriverReply.Ok<>(new DriverIdentity("e", "1", Set.of()));
    driver.lose();
    TestWait.until(session::problem, () -> session.problem().contains("\"e\""));
    assertThat(session.identity()).isEmpty();
    assertThat(readyCount).hasValue(1);
  }

  /** An answer from before the loss belongs to an earlier connection. */
  @Test
  void identity_fromLostConnection_isIgnored() {
    driver.duringIdentify =
        () -> {
          if (driver.identifyCalls.get() == 1) {
            driver.identity = new DriverReply.Ok<>(LESS_ABLE);
            driver.lose();
          }
        };
    start();
    TestWait.until("the driver was identified", () -> driver.identifyCalls.get() > 0);
    advanceOneSecond();
    awaitReady(1);
    assertThat(session.identity()).contains(LESS_ABLE);
    assertThat(readyCount).hasValue(1);
  }

  @Test
  void call_unavailable_keepsSessionAndNotifiesNoListener() {
    start();
    awaitReady(1);
    driver.delete = refusal(StatusCode.UNAVAILABLE);
    for (int i = 0; i < 100; i++) {
      session.call("DeleteVolume", c -> c.deleteVolume("v", DriverSecrets.NONE));
      assertThat(session.identity()).as("call %s", i).contains(ABLE);
      time.advance(Duration.ofMillis(100));
    }
    assertThat(readyCount).as("waiting objects have their own back-off").hasValue(1);
    assertThat(driver.identifyCalls).as("at most one check a second").hasValueLessThan(13);
  }

  /** The driver is overloaded and answers every call with UNAVAILABLE. */
  @Test
  void call_everythingUnavailable_keepsSession() {
    start();
    awaitReady(1);
    driver.delete = refusal(StatusCode.UNAVAILABLE);
    for (int i = 0; i < 100; i++) {
      boolean answers = i % 3 == 0;
      driver.ready = answers ? new DriverReply.Ok<>(true) : refusal(StatusCode.UNAVAILABLE);
      driver.identity = answers ? new DriverReply.Ok<>(ABLE) : refusal(StatusCode.UNAVAILABLE);
      session.call("DeleteVolume", c -> c.deleteVolume("v", DriverSecrets.NONE));
      assertThat(session.identity()).as("call %s", i).contains(ABLE);
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(readyCount).as("waiting objects have their own back-off").hasValue(1);
  }

  @Test
  void call_unavailableAndIdentityChanged_resetsSession() {
    start();
    awaitReady(1);
    driver.identity = new DriverReply.Ok<>(LESS_ABLE);
    driver.delete = refusal(StatusCode.UNAVAILABLE);
    session.call("DeleteVolume", c -> c.deleteVolume("v", DriverSecrets.NONE));
    awaitReady(2);
    assertThat(session.identity()).contains(LESS_ABLE);
  }

  @Test
  void nodeCapabilities_controllerExpands_areNotQueried() {
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(
                "d",
                "1",
                Set.of(DriverCapability.CONTROLLER_SERVICE, DriverCapability.EXPAND_VOLUME)));
    driver.node = refusal(StatusCode.INTERNAL);
    start();
    awaitReady(1);
    assertThat(driver.nodeQueries).hasValue(0);
    driver.identity = new DriverReply.Ok<>(LESS_ABLE);
    driver.lose();
    awaitReady(2);
    assertThat(driver.nodeQueries).as("the driver has no controller service").hasValue(0);
  }

  @Test
  void nodeCapabilities_failure_isRetriedWithoutReset() {
    driver.node = refusal(StatusCode.INTERNAL);
    start();
    awaitReady(1);
    assertThat(session.identity()).contains(ABLE);
    assertThat(session.problem()).isEmpty();
    driver.node = new DriverReply.Ok<>(Set.of(DriverCapability.NODE_EXPAND_VOLUME));
    TestWait.stepUntil(
        "the node side is queried again",
        () -> {
          time.advance(Duration.ofSeconds(20));
          return readyCount.get() > 1;
        });
    assertThat(session.identity().orElseThrow().abilities())
        .containsExactlyInAnyOrder(
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.NODE_EXPAND_VOLUME);
    assertThat(driver.probes).as("the session is not reset").hasValue(1);
  }

  @Test
  void call_otherError_keepsSession() {
    start();
    awaitReady(1);
    driver.delete = refusal(StatusCode.INTERNAL);
    assertThat(session.call("DeleteVolume", c -> c.deleteVolume("v", DriverSecrets.NONE)))
        .isEqualTo(refusal(StatusCode.INTERNAL));
    assertThat(session.identity()).contains(ABLE);
    assertThat(stats.read())
        .singleElement()
        .satisfies(d -> {
          assertThat(d.labels().operation()).isEqualTo("DeleteVolume Internal");
          assertThat(d.labels().succeeded()).isFalse();
        });
  }
}
