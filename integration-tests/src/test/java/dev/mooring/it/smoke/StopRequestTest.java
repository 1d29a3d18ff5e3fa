package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.manager.lifecycle.StopRequest;
import org.junit.jupiter.api.Test;

/** Tests the request to stop the process, which a signal sends. */
class StopRequestTest {
  @Test
  void stop_duringStart_interruptsStart() {
    StopRequest request = new StopRequest();
    request.request();
    assertThatThrownBy(() -> Thread.sleep(60_000)).isInstanceOf(InterruptedException.class);
  }

  /** An interrupt would break the orderly stop, and the process would not end. */
  @Test
  void stop_afterStart_doesNotInterrupt() throws InterruptedException {
    StopRequest request = new StopRequest();
    request.started();
    request.request();
    request.await();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void stop_beforeEndOfStart_clearsInterruptAtEnd() throws InterruptedException {
    StopRequest request = new StopRequest();
    request.request();
    request.started();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    request.await();
  }

  @Test
  void stop_signalThread_waitsForEnd() throws InterruptedException {
    StopRequest request = new StopRequest();
    request.started();
    Thread signal = Thread.ofPlatform().start(request::requestAndWait);
    request.await();
    assertThat(signal.isAlive()).isTrue();
    request.fulfilled();
    signal.join();
  }
}
