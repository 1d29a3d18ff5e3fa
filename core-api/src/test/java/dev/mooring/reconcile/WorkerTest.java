package dev.mooring.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.spi.Failure;
import dev.mooring.testkit.SimTime;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WorkerTest {
  private final SimTime time = new SimTime();
  private final WorkQueue<String> queue = new WorkQueue<>("test", time);

  @Test
  void anExceptionCostsThatKeyOneRetryAndNobodyElseAnything() throws InterruptedException {
    List<String> seen = new CopyOnWriteArrayList<>();
    CountDownLatch both = new CountDownLatch(2);
    Worker<String> worker =
        new Worker<>(
            "test",
            queue,
            key -> {
              seen.add(key);
              both.countDown();
              if (key.equals("bad")) {
                throw new IllegalStateException("a bug");
              }
              return Outcome.SETTLED;
            },
            1);
    queue.add("bad");
    queue.add("good");
    worker.start();
    assertThat(both.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(worker.stop(Duration.ofSeconds(10))).isTrue();
    assertThat(seen).containsExactly("bad", "good");
    assertThat(worker.stats().faults()).isEqualTo(1);
    assertThat(queue.failures("bad")).isEqualTo(1);
    assertThat(queue.failures("good")).isZero();
  }

  @Test
  void outcomesAreMappedToTheQueue() throws InterruptedException {
    CountDownLatch all = new CountDownLatch(5);
    Worker<String> worker =
        new Worker<>(
            "test",
            queue,
            key -> {
              all.countDown();
              return switch (key) {
                case "settled" -> Outcome.SETTLED;
                case "again" -> new Outcome.CheckAgain(Duration.ofMinutes(1));
                case "conflicted" -> new Outcome.Conflicted("somebody else was first");
                case "retry" -> new Outcome.Retry(new Failure.Unreachable("no answer"));
                default -> new Outcome.GiveUp(new Failure.Rejected("never"));
              };
            },
            1);
    List.of("settled", "again", "conflicted", "retry", "giveUp").forEach(queue::add);
    worker.start();
    assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
    worker.stop(Duration.ofSeconds(10));
    assertThat(queue.failures("conflicted")).isEqualTo(1);
    assertThat(queue.failures("retry")).isEqualTo(1);
    assertThat(queue.failures("giveUp")).isZero();
    assertThat(worker.stats().settled()).isEqualTo(2);
    assertThat(worker.stats().givenUp()).isEqualTo(1);
  }
}
