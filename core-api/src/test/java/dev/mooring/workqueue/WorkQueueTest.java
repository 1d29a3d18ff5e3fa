package dev.mooring.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class WorkQueueTest {
  private final SimTime time = new SimTime();
  private final WorkQueue<String> queue = new WorkQueue<>("test", time);

  private String take() throws InterruptedException {
    return queue.take() instanceof Taken.Item<String>(String key) ? key : "shut down";
  }

  @Test
  void g1_addsBeforeTheTakeCollapse() throws InterruptedException {
    queue.add("a");
    queue.add("a");
    assertThat(take()).isEqualTo("a");
    queue.done("a");
    assertThat(queue.depth()).isZero();
  }

  @Test
  void g2_oneKeyIsNeverProcessedTwiceAtOnce() throws InterruptedException {
    int keys = 8;
    int takers = 4;
    int rounds = 30_000;
    WorkQueue<Integer> busy = new WorkQueue<>("busy", new SystemTime());
    AtomicIntegerArray inside = new AtomicIntegerArray(keys);
    AtomicBoolean twice = new AtomicBoolean();
    AtomicInteger processed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < takers; t++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  while (busy.take() instanceof Taken.Item<Integer>(Integer key)) {
                    if (inside.incrementAndGet(key) != 1) {
                      twice.set(true);
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
    assertThat(busy.drain(Patience.LONGEST)).isTrue();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(twice).isFalse();
    assertThat(processed.get()).isBetween(keys, rounds);
  }

  @Test
  void g3_aKeyAddedWhileProcessedIsProcessedAgain() throws InterruptedException {
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

  @Test
  void whoWaitsForIdlenessWaitsForTheLastKeyAndNotForEver() throws InterruptedException {
    WorkQueue<String> busy = new WorkQueue<>("busy", new SystemTime());
    busy.add("a");
    busy.take();
    assertThat(busy.awaitIdle(Duration.ofMillis(5))).isFalse();
    Thread worker = Thread.ofVirtual().start(() -> busy.done("a"));
    assertThat(busy.awaitIdle(Duration.ofSeconds(30))).isTrue();
    worker.join();
  }

  /**
   * Whatever the schedule: after the last addition of a key there is a processing that began after
   * it.
   */
  @Test
  void g3_noAdditionIsEverLost() throws InterruptedException {
    WorkQueue<Integer> busy = new WorkQueue<>("busy", new SystemTime());
    AtomicIntegerArray wanted = new AtomicIntegerArray(4);
    AtomicIntegerArray seen = new AtomicIntegerArray(4);
    for (int t = 0; t < 3; t++) {
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            try {
              while (busy.take() instanceof Taken.Item<Integer>(Integer key)) {
                seen.set(key, wanted.get(key));
                busy.done(key);
              }
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    for (int i = 0; i < 100_000; i++) {
      wanted.incrementAndGet(i & 3);
      busy.add(i & 3);
    }
    assertThat(busy.drain(Patience.LONGEST)).isTrue();
    for (int key = 0; key < 4; key++) {
      assertThat(seen.get(key)).isEqualTo(wanted.get(key));
    }
  }

  @Test
  void g4_keysComeInTheOrderOfTheirFirstAddition() throws InterruptedException {
    queue.add("b");
    queue.add("a");
    queue.add("b");
    assertThat(List.of(take(), take())).containsExactly("b", "a");
  }

  @Test
  void g5_aDelayedKeyIsNeitherEarlyNorLost() {
    queue.addAfter("a", Duration.ofSeconds(2));
    time.advance(Duration.ofMillis(1));
    assertThat(queue.isIdle(Duration.ofMillis(1))).isTrue();
    time.advance(Duration.ofMillis(1998));
    assertThat(queue.depth()).isZero();
    assertThat(queue.isIdle(Duration.ofSeconds(2))).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(queue.depth()).isEqualTo(1);
  }

  /** A peer drops what exceeds its hand-off buffer of 1,000. */
  @Test
  void g5_howeverManyDelayedKeysThereAre() {
    WorkQueue<Integer> many = new WorkQueue<>("many", time);
    for (int i = 0; i < 100_000; i++) {
      many.addAfter(i, Duration.ofMillis(1 + i % 500));
    }
    time.advance(Duration.ofMillis(500));
    assertThat(many.depth()).isEqualTo(100_000);
  }

  @Test
  void g5_ofTwoDelaysTheEarlierCounts() throws InterruptedException {
    queue.addAfter("a", Duration.ofSeconds(5));
    queue.addAfter("a", Duration.ofSeconds(1));
    queue.addAfter("a", Duration.ofSeconds(3));
    time.advance(Duration.ofSeconds(1));
    assertThat(take()).isEqualTo("a");
    queue.done("a");
    time.advance(Duration.ofSeconds(10));
    assertThat(queue.depth()).as("the later ones are void").isZero();
  }

  @Test
  void g6_backOffGrowsToItsCapAndStaysThere() {
    Backoff<String> backoff = new Backoff<>(Duration.ofMillis(5), Duration.ofSeconds(1000));
    Duration last = Duration.ZERO;
    for (int i = 1; i <= 200; i++) {
      Duration next = backoff.next("a");
      assertThat(next)
          .as("failure %d", i)
          .isGreaterThanOrEqualTo(last)
          .isLessThanOrEqualTo(Duration.ofSeconds(1000));
      last = next;
    }
    assertThat(last).isEqualTo(Duration.ofSeconds(1000));
    assertThat(backoff.next("b")).isEqualTo(Duration.ofMillis(5));
    backoff.forget("a");
    assertThat(backoff.next("a")).isEqualTo(Duration.ofMillis(5));
  }

  @Test
  void g6_askingCostsNoMemory() {
    Backoff<String> backoff = new Backoff<>(Duration.ofMillis(5), Duration.ofSeconds(1));
    for (int i = 0; i < 1000; i++) {
      assertThat(backoff.failures("k" + i)).isZero();
    }
    assertThat(backoff.size()).isZero();
  }

  @Test
  void g6_retriedKeysComeBackAfterTheirBackOff() throws InterruptedException {
    queue.addRateLimited("a");
    queue.addRateLimited("a");
    assertThat(queue.failures("a")).isEqualTo(2);
    time.advance(Duration.ofMillis(5));
    assertThat(take()).isEqualTo("a");
    queue.done("a");
    queue.forget("a");
    assertThat(queue.failures("a")).isZero();
    assertThat(queue.stats().retries()).isEqualTo(2);
  }

  @Test
  void g10_aReminderBringsNoKeyBackBeforeItsBackOffIsOver() throws InterruptedException {
    queue.add("a");
    assertThat(take()).isEqualTo("a");
    queue.remind("a");
    queue.addRateLimited("a");
    queue.done("a");
    queue.remind("a");
    assertThat(queue.depth()).as("it has failed").isZero();
    time.advance(Duration.ofMillis(5));
    assertThat(take()).isEqualTo("a");

    queue.remind("a");
    queue.forget("a");
    queue.done("a");
    assertThat(take()).as("it has not failed").isEqualTo("a");
    queue.done("a");
    queue.remind("a");
    assertThat(take()).isEqualTo("a");
    queue.done("a");
    assertThat(queue.depth()).isZero();
  }

  @Test
  void g10_anAdditionIsNoReminder() throws InterruptedException {
    queue.add("a");
    assertThat(take()).isEqualTo("a");
    queue.remind("a");
    queue.add("a");
    queue.remind("a");
    queue.addRateLimited("a");
    queue.done("a");
    assertThat(take()).isEqualTo("a");
  }

  @Test
  void g11_whatIsBroughtForwardIsTakenBeforeTheOthers() throws InterruptedException {
    queue.add("a");
    queue.add("b");
    queue.add("c");
    queue.addForward("c");
    queue.addForward("new");
    queue.addForward("c");
    queue.add("new");
    assertThat(queue.depth()).isEqualTo(4);
    assertThat(List.of(next(queue), next(queue), next(queue), next(queue)))
        .containsExactly("c", "new", "a", "b");
    assertThat(queue.depth()).isZero();
    assertThat(queue.stats().adds()).isEqualTo(4);
  }

  @Test
  void g11_whatIsBroughtForwardWhileItIsProcessedComesFirstAgain() throws InterruptedException {
    queue.add("a");
    assertThat(take()).isEqualTo("a");
    assertThat(queue.wasForward("a")).isFalse();
    queue.add("b");
    queue.addForward("a");
    assertThat(queue.wasForward("a")).isFalse();
    queue.done("a");
    assertThat(take()).isEqualTo("a");
    assertThat(queue.wasForward("a")).isTrue();
    queue.add("a");
    queue.done("a");
    assertThat(List.of(next(queue), next(queue))).as("once only").containsExactly("b", "a");
  }

  @Test
  void g11_othersWaitForEightAtMost() throws InterruptedException {
    queue.add("other");
    for (int i = 0; i < 20; i++) {
      queue.addForward("f" + i);
    }
    List<String> taken = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      taken.add(next(queue));
    }
    assertThat(taken.indexOf("other")).isEqualTo(8);
    taken.remove("other");
    assertThat(taken).isEqualTo(IntStream.range(0, 20).mapToObj(i -> "f" + i).toList());
  }

  @Test
  void g11_nobodyIsBroughtForwardBeforeOtherOwners() throws InterruptedException {
    WorkQueue<String> fair = WorkQueue.fair("fair", time, WorkQueueTest::owner);
    for (int i = 0; i < 3; i++) {
      fair.add("many/" + i);
    }
    fair.add("few/0");
    fair.addForward("many/2");
    assertThat(List.of(next(fair), next(fair), next(fair), next(fair)))
        .containsExactly("many/2", "few/0", "many/0", "many/1");
    assertThat(fair.depth()).isZero();
  }

  @Test
  void g7_shuttingDownHandsOutWhatIsQueuedAndRefusesWhatComesLater() throws InterruptedException {
    queue.add("a");
    queue.addAfter("later", Duration.ofSeconds(1));
    queue.shutDown();
    queue.add("b");
    time.advance(Duration.ofSeconds(2));
    assertThat(take()).isEqualTo("a");
    assertThat(take()).isEqualTo("shut down");
  }

  @Test
  void g7_drainingWaitsForWhatIsBeingProcessed() throws InterruptedException {
    queue.add("a");
    take();
    CountDownLatch drained = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(() -> {
          try {
            if (queue.drain(Patience.LONGEST)) {
              drained.countDown();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    assertThat(drained.await(50, TimeUnit.MILLISECONDS)).isFalse();
    queue.done("a");
    assertThat(drained.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void g7_drainingGivesUpInTime() throws InterruptedException {
    queue.add("a");
    take();
    assertThat(queue.drain(Duration.ofMillis(1))).isFalse();
  }

  @Test
  void anInterruptedTakerTakesNothing() throws InterruptedException {
    Thread.currentThread().interrupt();
    assertThatThrownBy(queue::take).isInstanceOf(InterruptedException.class);
    queue.add("a");
    assertThat(take()).isEqualTo("a");
  }

  @Test
  void doneWithoutTakeIsABug() {
    assertThatThrownBy(() -> queue.done("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a");
  }

  @Test
  void countsWhatMetricsNeed() throws InterruptedException {
    queue.add("a");
    time.advance(Duration.ofMillis(20));
    take();
    time.advance(Duration.ofSeconds(3));
    QueueStats stats = queue.stats();
    assertThat(stats.adds()).isEqualTo(1);
    assertThat(stats.queued().sumSeconds()).isEqualTo(0.02);
    assertThat(stats.longestRunningSeconds()).isEqualTo(3.0);
    queue.done("a");
    assertThat(queue.stats().work().sumSeconds()).isEqualTo(3.0);
    assertThat(queue.stats().work().counts().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(1);
  }

  @Test
  void whatComesFromOutsideIsToldFromOurOwnDoing() throws InterruptedException {
    OwnDoing.Activity activity =
        new OwnDoing.Activity() {
          @Override
          public void acted(boolean write, String target, int content) {}

          @Override
          public void echoed() {}
        };
    queue.add("a");
    take();
    assertThat(queue.takePrompt("a")).isTrue();
    assertThat(queue.takePrompt("a")).as("once").isFalse();
    OwnDoing.<Void, RuntimeException>as(
        activity,
        () -> {
          queue.add("a");
          return null;
        });
    queue.done("a");
    take();
    assertThat(queue.takePrompt("a")).as("our own doing").isFalse();
    queue.addAfter("a", Duration.ofSeconds(1));
    queue.done("a");
    time.advance(Duration.ofSeconds(2));
    take();
    assertThat(queue.takePrompt("a")).as("a delay that is over").isFalse();
  }

  private static String owner(String key) {
    return key.substring(0, key.indexOf('/'));
  }

  private static String next(WorkQueue<String> queue) throws InterruptedException {
    String key = queue.take() instanceof Taken.Item<String>(String taken) ? taken : "shut down";
    queue.done(key);
    return key;
  }

  @Test
  void g8_ownersAreServedInTurnHoweverManyKeysOneOfThemHas() throws InterruptedException {
    WorkQueue<String> fair = WorkQueue.fair("fair", time, WorkQueueTest::owner);
    for (int i = 0; i < 1000; i++) {
      fair.add("many/" + i);
    }
    fair.add("few/0");
    fair.add("few/1");
    fair.add("other/0");
    List<String> taken = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      taken.add(next(fair));
    }
    assertThat(taken).containsExactly("many/0", "few/0", "other/0", "many/1", "few/1", "many/2");
    fair.add("few/2");
    assertThat(List.of(next(fair), next(fair))).contains("few/2");
    assertThat(fair.depth()).isEqualTo(996);
  }

  @Test
  void g8_retriesOfOneOwnerHoldUpNobody() throws InterruptedException {
    WorkQueue<String> fair = WorkQueue.fair("fair", time, WorkQueueTest::owner);
    for (int i = 0; i < 1000; i++) {
      fair.addRateLimited("failing/" + i);
    }
    time.advance(Duration.ofSeconds(1));
    fair.add("good/0");
    assertThat(List.of(next(fair), next(fair))).contains("good/0");
  }

  @Test
  void g8_aQueueWithOwnersKeepsTheOtherGuarantees() throws InterruptedException {
    WorkQueue<String> fair = WorkQueue.fair("fair", time, WorkQueueTest::owner);
    fair.add("a/0");
    fair.add("a/0");
    assertThat(fair.depth()).isEqualTo(1);
    fair.take();
    fair.add("a/0");
    assertThat(fair.depth()).isZero();
    fair.done("a/0");
    assertThat(next(fair)).isEqualTo("a/0");
    fair.add("a/1");
    fair.add("b/1");
    fair.shutDown();
    assertThat(List.of(next(fair), next(fair))).containsExactly("a/1", "b/1");
    assertThat(fair.take()).isInstanceOf(Taken.ShutDown.class);
    assertThat(fair.drain(Duration.ZERO)).isTrue();
    assertThat(fair.stats().adds()).isEqualTo(4);
  }

  private static WorkQueue<String> computingForOne() {
    return WorkQueue.fair(
        "narrow",
        new SystemTime(),
        new Backoff<>(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_CAP),
        WorkQueueTest::owner,
        1);
  }

  private static FutureTask<String> taking(WorkQueue<String> queue) throws Exception {
    FutureTask<String> taking =
        new FutureTask<>(
            () -> queue.take() instanceof Taken.Item<String>(String key) ? key : "shut down");
    Thread thread = Thread.ofPlatform().start(taking);
    Patience.until("it waits", () -> taking.isDone() || thread.getState() == Thread.State.WAITING);
    return taking;
  }

  @Test
  void g9_aKeyIsNotTakenBeforeItCanBeComputedFor() throws Exception {
    WorkQueue<String> narrow = computingForOne();
    List.of("many/0", "many/1", "many/2").forEach(narrow::add);
    assertThat(narrow.take()).isEqualTo(new Taken.Item<>("many/0"));
    FutureTask<String> second = taking(narrow);
    assertThat(second.isDone()).as("many/0 is computed for").isFalse();

    narrow.waits("nobody/0");
    narrow.waits("many/0");
    assertThat(second.get()).isEqualTo("many/1");
    narrow.waits("many/0");
    FutureTask<String> third = taking(narrow);
    assertThat(third.isDone()).as("many/1 is computed for").isFalse();

    narrow.add("few/0");
    narrow.done("many/1");
    assertThat(third.get()).as("who began to wait before it came").isEqualTo("many/2");
    FutureTask<String> fourth = taking(narrow);
    narrow.done("many/2");
    assertThat(fourth.get()).isEqualTo("few/0");
  }

  @Test
  void g9_shuttingDownHandsOutWhatWaitsToBeComputedForAndLetsEverybodyGo() throws Exception {
    WorkQueue<String> narrow = computingForOne();
    narrow.add("a/0");
    narrow.add("b/0");
    assertThat(narrow.take()).isEqualTo(new Taken.Item<>("a/0"));
    List<FutureTask<String>> takers = List.of(taking(narrow), taking(narrow), taking(narrow));
    narrow.shutDown();
    narrow.done("a/0");
    List<String> taken = new ArrayList<>();
    for (FutureTask<String> taker : takers) {
      taken.add(taker.get());
    }
    assertThat(taken).containsExactlyInAnyOrder("b/0", "shut down", "shut down");
  }

  @Test
  void g9_noKeyIsForgottenAndNeverAreMoreComputedFor() throws InterruptedException {
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
    AtomicInteger most = new AtomicInteger();
    CountDownLatch processed = new CountDownLatch(keys);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < takers; t++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  while (narrow.take() instanceof Taken.Item<Integer>(Integer key)) {
                    most.accumulateAndGet(computing.incrementAndGet(), Math::max);
                    Thread.onSpinWait();
                    computing.decrementAndGet();
                    if (key % 2 == 0) {
                      narrow.waits(key);
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
    assertThat(processed.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS))
        .as("all are taken")
        .isTrue();
    narrow.shutDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most).hasValueLessThanOrEqualTo(2);
  }
}
