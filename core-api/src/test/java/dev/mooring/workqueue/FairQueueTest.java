package dev.mooring.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Queues with owners (G8, G12) and with a limit of computing keys (G9). */
class FairQueueTest extends WorkQueueFixture {
  @Test
  void g11_expeditedKey_doesNotOvertakeOtherOwners() throws InterruptedException {
    WorkQueue<String> fair = WorkQueue.fair("fair", time, FairQueueTest::owner);
    for (int i = 0; i < 3; i++) {
      fair.add("many/" + i);
    }
    fair.add("few/0");
    fair.addExpedited("many/2");
    assertThat(List.of(takeAndEnd(fair), takeAndEnd(fair), takeAndEnd(fair), takeAndEnd(fair)))
        .containsExactly("many/2", "few/0", "many/0", "many/1");
    assertThat(fair.depth()).isZero();
  }

  private static String owner(String key) {
    return key.substring(0, key.indexOf('/'));
  }

  @Test
  void g8_ownerWithManyKeys_othersAreServedInTurn() throws InterruptedException {
    WorkQueue<String> fair = WorkQueue.fair("fair", time, FairQueueTest::owner);
    for (int i = 0; i < 1000; i++) {
      fair.add("many/" + i);
    }
    fair.add("few/0");
    fair.add("few/1");
    fair.add("other/0");
    List<String> takenKeys = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      takenKeys.add(takeAndEnd(fair));
    }
    assertThat(takenKeys)
        .containsExactly("many/0", "few/0", "other/0", "many/1", "few/1", "many/2");
    fair.add("few/2");
    assertThat(List.of(takeAndEnd(fair), takeAndEnd(fair))).contains("few/2");
    assertThat(fair.depth()).isEqualTo(996);
  }

  @Test
  void g8_ownerWithManyRetries_othersAreServedInTurn() throws InterruptedException {
    WorkQueue<String> fair = WorkQueue.fair("fair", time, FairQueueTest::owner);
    for (int i = 0; i < 1000; i++) {
      fair.addRateLimited("failing/" + i);
    }
    time.advance(Duration.ofSeconds(1));
    fair.add("good/0");
    assertThat(List.of(takeAndEnd(fair), takeAndEnd(fair))).contains("good/0");
  }

  @Test
  void g8_queueWithOwners_keepsOtherGuarantees() throws InterruptedException {
    WorkQueue<String> fair = WorkQueue.fair("fair", time, FairQueueTest::owner);
    fair.add("a/0");
    fair.add("a/0");
    assertThat(fair.depth()).isEqualTo(1);
    fair.take();
    fair.add("a/0");
    assertThat(fair.depth()).isZero();
    fair.done("a/0");
    assertThat(takeAndEnd(fair)).isEqualTo("a/0");
    fair.add("a/1");
    fair.add("b/1");
    fair.shutDown();
    assertThat(List.of(takeAndEnd(fair), takeAndEnd(fair))).containsExactly("a/1", "b/1");
    assertThat(fair.take()).isInstanceOf(TakeResult.ShutDown.class);
    assertThat(fair.drain(Duration.ZERO)).isTrue();
    assertThat(fair.stats().adds()).isEqualTo(4);
  }

  private static WorkQueue<String> queueWithOneComputingKey() {
    return WorkQueue.fair(
        "narrow",
        new SystemTime(),
        new Backoff<>(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_CAP),
        FairQueueTest::owner,
        1);
  }

  private static FutureTask<String> startTake(WorkQueue<String> queue) throws Exception {
    FutureTask<String> take =
        new FutureTask<>(
            () -> queue.take() instanceof TakeResult.Item<String>(String key) ? key : "shut down");
    Thread thread = Thread.ofPlatform().start(take);
    TestWait.until(
        "the worker waits", () -> take.isDone() || thread.getState() == Thread.State.WAITING);
    return take;
  }

  @Test
  void g9_limitReached_noKeyIsTaken() throws Exception {
    WorkQueue<String> narrow = queueWithOneComputingKey();
    List.of("many/0", "many/1", "many/2").forEach(narrow::add);
    assertThat(narrow.take()).isEqualTo(new TakeResult.Item<>("many/0"));
    FutureTask<String> second = startTake(narrow);
    assertThat(second.isDone()).as("many/0 is computing").isFalse();

    narrow.markWaiting("unknown/0");
    narrow.markWaiting("many/0");
    assertThat(second.get()).isEqualTo("many/1");
    narrow.markWaiting("many/0");
    FutureTask<String> third = startTake(narrow);
    assertThat(third.isDone()).as("many/1 is computing").isFalse();

    narrow.add("few/0");
    narrow.done("many/1");
    assertThat(third.get()).as("the owner whose turn it was").isEqualTo("many/2");
    FutureTask<String> fourth = startTake(narrow);
    narrow.done("many/2");
    assertThat(fourth.get()).isEqualTo("few/0");
  }

  @Test
  void g9_shutDown_handsOutKeysAndEndsWorkers() throws Exception {
    WorkQueue<String> narrow = queueWithOneComputingKey();
    narrow.add("a/0");
    narrow.add("b/0");
    assertThat(narrow.take()).isEqualTo(new TakeResult.Item<>("a/0"));
    List<FutureTask<String>> takers =
        List.of(startTake(narrow), startTake(narrow), startTake(narrow));
    narrow.shutDown();
    narrow.done("a/0");
    List<String> takenKeys = new ArrayList<>();
    for (FutureTask<String> taker : takers) {
      takenKeys.add(taker.get());
    }
    assertThat(takenKeys).containsExactlyInAnyOrder("b/0", "shut down", "shut down");
  }

  @Test
  void g9_manyWorkers_processAllKeysWithinLimit() throws InterruptedException {
    int takers = 8;
    int keys = 20_000;
    WorkQueue<Integer> narrow =
        WorkQueue.fair(
            "narrow",
            new SystemTime(),
            new Backoff<>(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_CAP),
            key -> key % 3,
            2);
    AtomicInteger computing = new AtomicInteger();
    AtomicInteger max = new AtomicInteger();
    CountDownLatch processed = new CountDownLatch(keys);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < takers; t++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  while (narrow.take() instanceof TakeResult.Item<Integer>(Integer key)) {
                    max.accumulateAndGet(computing.incrementAndGet(), Math::max);
                    Thread.onSpinWait();
                    computing.decrementAndGet();
                    if (key % 2 == 0) {
                      narrow.markWaiting(key);
                      Thread.yield();
                    }
                    processed.countDown();
                    narrow.done(key);
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    for (int key = 0; key < keys; key++) {
      narrow.add(key);
    }
    assertThat(processed.await(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS))
        .as("all keys are processed")
        .isTrue();
    narrow.shutDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(max).hasValueLessThanOrEqualTo(2);
  }

  private static WorkQueue<String> queueWithEightWorkers() {
    WorkQueue<String> fair = WorkQueue.fair("eight", new SystemTime(), FairQueueTest::owner);
    fair.setWorkers(8);
    return fair;
  }

  /** Takes a key and keeps it in processing. */
  private static String takeKey(WorkQueue<String> queue) throws InterruptedException {
    return queue.take() instanceof TakeResult.Item<String>(String key) ? key : "shut down";
  }

  @Test
  void g12_keysOfOneOwnerHang_othersGetWorkers() throws Exception {
    WorkQueue<String> fair = queueWithEightWorkers();
    for (int i = 0; i < 20; i++) {
      fair.add("slow/" + i);
    }
    for (int i = 0; i < 6; i++) {
      assertThat(takeKey(fair)).isEqualTo("slow/" + i);
    }
    FutureTask<String> seventh = startTake(fair);
    assertThat(seventh.isDone()).as("two workers are reserved for other owners").isFalse();
    fair.add("other/0");
    assertThat(seventh.get()).isEqualTo("other/0");
    FutureTask<String> eighth = startTake(fair);
    fair.add("other/1");
    assertThat(eighth.isDone()).as("the other owner has a worker already").isFalse();
    fair.add("third/0");
    assertThat(eighth.get()).isEqualTo("third/0");
  }

  @Test
  void g12_keyDone_sameOwnerGetsWorker() throws Exception {
    WorkQueue<String> fair = queueWithEightWorkers();
    for (int i = 0; i < 8; i++) {
      fair.add("slow/" + i);
    }
    for (int i = 0; i < 6; i++) {
      takeKey(fair);
    }
    FutureTask<String> seventh = startTake(fair);
    fair.add("slow/0"); // while it is processed
    fair.done("slow/0");
    assertThat(seventh.get()).isEqualTo("slow/6");
    fair.done("slow/1");
    assertThat(takeKey(fair)).isEqualTo("slow/7");
    fair.done("slow/2");
    assertThat(takeKey(fair)).isEqualTo("slow/0");
  }

  @Test
  void g12_shutDown_handsOutQueuedKeys() throws Exception {
    WorkQueue<String> fair = queueWithEightWorkers();
    for (int i = 0; i < 7; i++) {
      fair.add("slow/" + i);
    }
    for (int i = 0; i < 6; i++) {
      takeKey(fair);
    }
    FutureTask<String> seventh = startTake(fair);
    fair.shutDown();
    fair.done("slow/0");
    assertThat(seventh.get()).isEqualTo("slow/6");
    assertThat(fair.take()).isInstanceOf(TakeResult.ShutDown.class);
  }

  /** The owner of a PersistentVolume is its claim's namespace, which may change. */
  @Test
  void ownerOfKey_changes_noKeyIsLost() throws Exception {
    AtomicInteger owner = new AtomicInteger();
    WorkQueue<String> fair =
        WorkQueue.fair("changing", new SystemTime(), key -> owner.getAndIncrement());
    fair.setWorkers(4);
    for (int i = 0; i < 5; i++) {
      fair.add("key" + i);
    }
    fair.addExpedited("key4");
    List<String> takenKeys = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String key = takeKey(fair);
      takenKeys.add(key);
      fair.done(key);
    }
    assertThat(takenKeys).containsExactlyInAnyOrder("key0", "key1", "key2", "key3", "key4");
    assertThat(fair.isIdle(Duration.ZERO)).isTrue();
  }
}
