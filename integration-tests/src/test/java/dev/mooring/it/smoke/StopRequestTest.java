package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.manager.lifecycle.StopRequest;
import org.junit.jupiter.api.Test;

/** Checks that a signal ends the process at any time. */
class StopRequestTest {
  @Test
  void stop_duringStart_interruptsIt() {
    StopRequest request = new StopRequest();
    request.request();
    assertThatThrownBy(() -> Thread.sleep(60_000)).isInstanceOf(InterruptedException.class);
  }

  /** Regression: the interrupt broke the orderly stop, and the process waited for it forever. */
  @Test
  void stop_orderly_isNotInterrupted() throws InterruptedException {
    StopRequest request = new StopRequest();
    request.started();
    request.request();
    request.await();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void stop_atEndOfStart_isNotedWithoutInterrupt() throws InterruptedException {
    StopRequest request = new StopRequest();
    request.request();
    request.started();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    request.await();
  }

  @Test
  void stop_caller_waitsForEnd() throws InterruptedException {
    StopRequest request = new StopRequest();
    request.started();
    Thread signal = Thread.ofPlatform().start(request::requestAndWait);
    request.await();
    assertThat(signal.isAlive()).isTrue();
    request.fulfilled();
    signal.join();
  }
}
