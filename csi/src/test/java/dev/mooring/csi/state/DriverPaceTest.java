package dev.mooring.csi.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.state.DriverPace.Lane;
import dev.mooring.csi.state.DriverPace.Limit;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.testkit.SimTime;
import dev.mooring.workqueue.LaneGate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DriverPaceTest {
  private final SimTime time = new SimTime();
  private final DriverPace pace = new DriverPace(time);

  private void call(Lane lane, StatusCode code, int count, Duration interval) {
    for (int i = 0; i < count; i++) {
      pace.startCall(lane);
      time.advance(interval);
      pace.endCall(lane, code);
    }
  }

  private void refuse(Lane lane, int count) {
    call(lane, StatusCode.RESOURCE_EXHAUSTED, count, Duration.ofMillis(1));
  }

  private Optional<Limit> limit(Lane lane) {
    return pace.limits().stream().filter(limit -> limit.lane() == lane).findAny();
  }

  private int enterAll(Lane lane) {
    int entered = 0;
    while (entered < 1000 && pace.tryEnter(lane)) {
      entered++;
    }
    return entered;
  }

  @Test
  void calls_driverAccepts_haveNoLimit() {
    call(Lane.ATTACH, StatusCode.OK, 100, Duration.ofMillis(1));
    assertThat(pace.limits()).isEmpty();
    assertThat(enterAll(Lane.ATTACH)).isEqualTo(1000);
  }

  @ParameterizedTest
  @EnumSource(
      value = StatusCode.class,
      names = {"RESOURCE_EXHAUSTED", "UNAVAILABLE"})
  void rate_refusals_fallsToAcceptedRate(StatusCode refusal) {
    call(Lane.ATTACH, StatusCode.OK, 40, Duration.ofMillis(100));
    call(Lane.ATTACH, refusal, 3, Duration.ofMillis(1));
    assertThat(limit(Lane.ATTACH).orElseThrow().callsPerSecond()).isBetween(9.0, 10.5);
    assertThat(limit(Lane.DETACH)).isEmpty();
    time.advance(Duration.ofMillis(150));
    assertThat(enterAll(Lane.ATTACH)).isEqualTo(1);
  }

  @Test
  void rate_twoRefusalsOfOneNode_staysUnlimited() {
    call(Lane.ATTACH, StatusCode.OK, 20, Duration.ofMillis(10));
    refuse(Lane.ATTACH, 2);
    assertThat(pace.limits()).isEmpty();
  }

  @Test
  void rate_invalidRequests_staysUnlimited() {
    call(Lane.ATTACH, StatusCode.INVALID_ARGUMENT, 100, Duration.ofMillis(1));
    assertThat(pace.limits()).isEmpty();
  }

  @Test
  void limit_minuteWithoutRefusal_ends() {
    refuse(Lane.ATTACH, 5);
    time.advance(Duration.ofSeconds(59));
    assertThat(limit(Lane.ATTACH)).isPresent();
    time.advance(Duration.ofSeconds(2));
    assertThat(limit(Lane.ATTACH)).isEmpty();
  }

  @Test
  void limit_driverRestarts_ends() {
    assertThat(pace.tryEnter(Lane.ATTACH)).isTrue();
    refuse(Lane.ATTACH, 5);
    pace.reset();
    assertThat(pace.limits()).isEmpty();
    pace.leave(Lane.ATTACH);
    assertThat(enterAll(Lane.ATTACH)).isEqualTo(1000);
  }

  @Test
  void limit_beginning_isReportedOnce() {
    refuse(Lane.ATTACH, 2);
    assertThat(pace.endCall(Lane.ATTACH, StatusCode.RESOURCE_EXHAUSTED)).isPresent();
    assertThat(pace.endCall(Lane.ATTACH, StatusCode.RESOURCE_EXHAUSTED)).isEmpty();
  }

  @Test
  void detach_attachIsRefused_yields() {
    call(Lane.DETACH, StatusCode.OK, 40, Duration.ofMillis(100));
    refuse(Lane.ATTACH, 3);
    assertThat(limit(Lane.DETACH).orElseThrow().callsPerSecond()).isBetween(5.0, 8.0);
  }

  @Test
  void detach_refusedBesideAttach_leavesRoom() {
    call(Lane.DETACH, StatusCode.OK, 40, Duration.ofMillis(100));
    call(Lane.ATTACH, StatusCode.OK, 1, Duration.ofMillis(1));
    refuse(Lane.DETACH, 3);
    assertThat(limit(Lane.DETACH).orElseThrow().callsPerSecond()).isBetween(7.0, 8.5);
  }

  @Test
  void attach_detachIsRefused_hasNoLimit() {
    call(Lane.ATTACH, StatusCode.OK, 3, Duration.ofMillis(1));
    refuse(Lane.DETACH, 10);
    assertThat(pace.limits()).extracting(Limit::lane).containsExactly(Lane.DETACH);
  }

  @Test
  void concurrency_callsTimeOut_halves() {
    for (int i = 0; i < 40; i++) {
      pace.tryEnter(Lane.PROVISION);
    }
    call(Lane.PROVISION, StatusCode.DEADLINE_EXCEEDED, 3, Duration.ofMillis(1));
    assertThat(limit(Lane.PROVISION).orElseThrow().concurrency()).isEqualTo(20);
    assertThat(pace.tryEnter(Lane.PROVISION)).isFalse();
    for (int i = 0; i < 21; i++) {
      pace.leave(Lane.PROVISION);
    }
    assertThat(pace.tryEnter(Lane.PROVISION)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = StatusCode.class,
      names = {"DEADLINE_EXCEEDED", "ABORTED"})
  void concurrency_twoBusyVolumes_staysUnlimited(StatusCode code) {
    call(Lane.PROVISION, code, 2, Duration.ofMillis(1));
    assertThat(pace.limits()).isEmpty();
  }

  @Test
  void fullLane_otherLaneWaitsLonger_callbackRunsInTime() {
    call(Lane.ATTACH, StatusCode.OK, 40, Duration.ofMillis(100));
    refuse(Lane.ATTACH, 3);
    refuse(Lane.DELETE, 5);
    AtomicInteger callbacks = new AtomicInteger();
    pace.gate(List.of(Lane.ATTACH), key -> Lane.ATTACH).onRoom(callbacks::incrementAndGet);
    assertThat(pace.tryEnter(Lane.DELETE)).isFalse();
    assertThat(pace.tryEnter(Lane.ATTACH)).isFalse();
    time.advance(Duration.ofMillis(200));
    assertThat(callbacks).hasPositiveValue();
    assertThat(pace.tryEnter(Lane.ATTACH)).isTrue();
  }

  @Test
  void fullLane_timePasses_callbackRuns() {
    LaneGate<String> gate = pace.gate(List.of(Lane.DELETE), key -> Lane.DELETE);
    AtomicInteger callbacks = new AtomicInteger();
    gate.onRoom(callbacks::incrementAndGet);
    refuse(Lane.DELETE, 5);
    assertThat(gate.tryEnter(0)).isFalse();
    assertThat(callbacks).hasValue(0);
    time.advance(Duration.ofSeconds(4));
    assertThat(callbacks).hasPositiveValue();
    assertThat(gate.tryEnter(0)).isTrue();
  }
}
