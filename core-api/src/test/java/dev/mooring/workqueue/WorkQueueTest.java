package dev.mooring.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Additions, processing and shutdown of a queue without owners. */
class WorkQueueTest extends WorkQueueFixture {
  @Test
  void g1_repeatedAddBeforeTake_isTakenOnce() throws InterruptedException {
    queue.add("a");
    queue.add("a");
    assertThat(take()).isEqualTo("a");
    queue.done("a");
    assertThat(queue.depth()).isZero();
  }

  @Test
  void g2_manyWorkers_neverProcessOneKeyConcurrently() throws InterruptedException {
    int keys = 8;
    int takers = 4;
    int rounds = 30_000;
    WorkQueue<Integer> busy = new WorkQueue<>("busy", new SystemTime());
    AtomicIntegerArray inside = new AtomicIntegerArray(keys);
    AtomicBoolean takenTwice = new AtomicBoolean();
    AtomicInteger processed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < takers; t++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  while (busy.take() instanceof TakeResult.Item<Integer>(Integer key)) {
                    if (inside.incrementAndGet(key) != 1) {
                      takenTwice.set(true);
                    }
                    Thread.onSpinWait();
                    inside.decrementAndGet(key);
                    processed.incrementAndGet();
                    busy.done(key);
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    for (int i = 0; i < rounds; i++) {
      busy.add(i % keys);
    }
    assertThat(busy.drain(TestWait.LONGEST)).isTrue();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(takenTwice).isFalse();
    assertThat(processed.get()).isBetween(keys, rounds);
  }

  @Test
  void g3_addWhileProcessing_processesAgain() throws InterruptedException {
    queue.add("a");
    take();
    queue.add("a");
    queue.add("a");
    assertThat(queue.depth()).isZero();
    queue.done("a");
    assertThat(queue.depth()).isEqualTo(1);
    assertThat(take()).isEqualTo("a");
    queue.done("a");
    assertThat(queue.isIdle(Duration.ZERO)).isTrue();
  }

  /** In every schedule, each key is processed at least once after its last addition. */
  @Test
  void g3_concurrentAdditions_noneIsLost() throws InterruptedException {
    WorkQueue<Integer> busy = new WorkQueue<>("busy", new SystemTime());
    AtomicIntegerArray added = new AtomicIntegerArray(4);
    AtomicIntegerArray processed = new AtomicIntegerArray(4);
    for (int t = 0; t < 3; t++) {
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            try {
              while (busy.take() instanceof TakeResult.Item<Integer>(Integer key)) {
                processed.set(key, added.get(key));
                busy.done(key);
              }
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    for (int i = 0; i < 100_000; i++) {
      added.incrementAndGet(i & 3);
      busy.add(i & 3);
    }
    assertThat(busy.drain(TestWait.LONGEST)).isTrue();
    for (int key = 0; key < 4; key++) {
      assertThat(processed.get(key)).isEqualTo(added.get(key));
    }
  }

  @Test
  void g4_repeatedAddition_keepsFirstPosition() throws InterruptedException {
    queue.add("b");
    queue.add("a");
    queue.add("b");
    assertThat(List.of(take(), take())).containsExactly("b", "a");
  }

  @Test
  void g11_expeditedKeys_areTakenFirst() throws InterruptedException {
    queue.add("a");
    queue.add("b");
    queue.add("c");
    queue.addExpedited("c");
    queue.addExpedited("new");
    queue.addExpedited("c");
    queue.add("new");
    assertThat(queue.depth()).isEqualTo(4);
    assertThat(List.of(takeAndEnd(queue), takeAndEnd(queue), takeAndEnd(queue), takeAndEnd(queue)))
        .containsExactly("c", "new", "a", "b");
    assertThat(queue.depth()).isZero();
    assertThat(queue.stats().adds()).isEqualTo(4);
  }

  @Test
  void g11_expediteWhileProcessing_isTakenFirstOnce() throws InterruptedException {
    queue.add("a");
    assertThat(take()).isEqualTo("a");
    assertThat(queue.wasExpedited("a")).isFalse();
    queue.add("b");
    queue.addExpedited("a");
    assertThat(queue.wasExpedited("a")).isFalse();
    queue.done("a");
    assertThat(take()).isEqualTo("a");
    assertThat(queue.wasExpedited("a")).isTrue();
    queue.add("a");
    queue.done("a");
    assertThat(List.of(takeAndEnd(queue), takeAndEnd(queue)))
        .as("expedited once")
        .containsExactly("b", "a");
  }

  @Test
  void g11_manyExpeditedKeys_otherKeyIsNinth() throws InterruptedException {
    queue.add("other");
    for (int i = 0; i < 20; i++) {
      queue.addExpedited("f" + i);
    }
    List<String> takenKeys = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      takenKeys.add(takeAndEnd(queue));
    }
    assertThat(takenKeys.indexOf("other")).isEqualTo(8);
    takenKeys.remove("other");
    assertThat(takenKeys).isEqualTo(IntStream.range(0, 20).mapToObj(i -> "f" + i).toList());
  }

  @Test
  void g7_shutDown_handsOutQueuedAndRejectsLaterKeys() throws InterruptedException {
    queue.add("a");
    queue.addAfter("later", Duration.ofSeconds(1));
    queue.shutDown();
    queue.add("b");
    time.advance(Duration.ofSeconds(2));
    assertThat(take()).isEqualTo("a");
    assertThat(take()).isEqualTo("shut down");
  }

  @Test
  void g7_drain_waitsForKeysInProcessing() throws InterruptedException {
    queue.add("a");
    take();
    CountDownLatch drained = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(() -> {
          try {
            if (queue.drain(TestWait.LONGEST)) {
              drained.countDown();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    assertThat(drained.await(50, TimeUnit.MILLISECONDS)).isFalse();
    queue.done("a");
    assertThat(drained.await(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void g7_drainWithKeyInProcessing_timesOut() throws InterruptedException {
    queue.add("a");
    take();
    assertThat(queue.drain(Duration.ofMillis(1))).isFalse();
  }

  @Test
  void take_interrupted_losesNoKey() throws InterruptedException {
    Thread.currentThread().interrupt();
    assertThatThrownBy(queue::take).isInstanceOf(InterruptedException.class);
    queue.add("a");
    assertThat(take()).isEqualTo("a");
  }

  @Test
  void done_withoutTake_throws() {
    assertThatThrownBy(() -> queue.done("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a");
  }

  @Test
  void stats_processedKey_hasTimes() throws InterruptedException {
    queue.add("a");
    time.advance(Duration.ofMillis(20));
    take();
    time.advance(Duration.ofSeconds(3));
    QueueStats stats = queue.stats();
    assertThat(stats.adds()).isEqualTo(1);
    assertThat(stats.queuedTime().sumSeconds()).isEqualTo(0.02);
    assertThat(stats.longestRunningSeconds()).isEqualTo(3.0);
    queue.done("a");
    assertThat(queue.stats().processingTime().sumSeconds()).isEqualTo(3.0);
    assertThat(queue.stats().processingTime().counts().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(1);
  }

  @Test
  void takeExternalTrigger_ownOrDelayedAddition_isFalse() throws InterruptedException {
    ReconcileContext.ReconcileListener listener =
        new ReconcileContext.ReconcileListener() {
          @Override
          public void requestAnswered(boolean write, String target, int content) {}

          @Override
          public void ownWriteObserved() {}
        };
    queue.add("a");
    take();
    assertThat(queue.takeExternalTrigger("a")).isTrue();
    assertThat(queue.takeExternalTrigger("a")).as("cleared by the first call").isFalse();
    ReconcileContext.<Void, RuntimeException>run(
        listener,
        () -> {
          queue.add("a");
          return null;
        });
    queue.done("a");
    take();
    assertThat(queue.takeExternalTrigger("a")).as("own addition").isFalse();
    queue.addAfter("a", Duration.ofSeconds(1));
    queue.done("a");
    time.advance(Duration.ofSeconds(2));
    take();
    assertThat(queue.takeExternalTrigger("a")).as("delayed addition").isFalse();
  }
}
