package dev.mooring.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.time.SystemTime;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdleCheckTest {
  @Test
  void awaitIdle_keyInProcessing_waitsUntilDoneOrTimeout() throws InterruptedException {
    WorkQueue<String> busy = new WorkQueue<>("busy", new SystemTime());
    busy.add("a");
    busy.take();
    assertThat(IdleCheck.awaitIdle(busy, Duration.ofMillis(5))).isFalse();
    Thread worker = Thread.ofVirtual().start(() -> busy.done("a"));
    assertThat(IdleCheck.awaitIdle(busy, Duration.ofSeconds(30))).isTrue();
    worker.join();
  }
}
