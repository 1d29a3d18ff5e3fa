package dev.mooring.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.operation.KeyedOperations.Job;
import dev.mooring.operation.KeyedOperations.Start;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import dev.mooring.workqueue.OwnDoing;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class KeyedOperationsTest {
  private final SimTime time = new SimTime();
  private final List<String> woken = new CopyOnWriteArrayList<>();
  private final KeyedOperations<String> operations =
      new KeyedOperations<>("test", time, Compat.MOORING, woken::add);

  private static final Completion UNREACHABLE = Completion.unreachable("no answer");

  private static Completion failed(Failure why) {
    return new Completion.Failed(why);
  }

  private void finish(Completion end) throws InterruptedException {
    finish(operations, "a", "basis", end);
  }

  private static void finish(
      KeyedOperations<String> operations, String key, Object basis, Completion end)
      throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    assertThat(
            operations.start(
                key,
                basis,
                () -> {
                  ran.countDown();
                  return end;
                }))
        .isEqualTo(Start.STARTED);
    assertThat(ran.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Patience.until("it is over", () -> operations.running() == 0);
  }

  @Test
  void aJobThatIsDoneWakesNobody() throws InterruptedException {
    finish(Completion.DONE);
    time.advance(Duration.ofHours(1));
    assertThat(woken).isEmpty();
  }

  @Test
  void whatIsKnownHereAloneHasItsKeyLookedAtOnce() throws InterruptedException {
    finish(Completion.NOTED);
    time.advance(Duration.ofHours(1));
    assertThat(woken).containsExactly("a");
  }

  @Test
  void nobodyTakesAKeyForAtRestThatIsStillToBeWoken() throws InterruptedException {
    List<Boolean> quiet = new CopyOnWriteArrayList<>();
    AtomicReference<KeyedOperations<String>> itself = new AtomicReference<>();
    KeyedOperations<String> asked =
        new KeyedOperations<>(
            "test",
            time,
            Compat.MOORING,
            key -> quiet.add(Objects.requireNonNull(itself.get()).isQuiet()));
    itself.set(asked);
    finish(asked, "a", "basis", Completion.NOTED);
    assertThat(quiet).containsExactly(false);
  }

  @Test
  void whatWasRefusedIsNotBegunAgainUntilItIsAnother() throws InterruptedException {
    finish(failed(new Failure.Rejected("mode Block is not supported")));
    time.advance(Duration.ofMinutes(59));
    assertThat(woken).isEmpty();
    assertThat(operations.start("a", "basis", () -> Completion.DONE)).isEqualTo(Start.REFUSED);
    assertThat(operations.isQuiet()).isTrue();
    finish(operations, "a", "another", Completion.DONE);
  }

  /** Else what goes wrong again and again, and each time for something that ends, never rests. */
  @Test
  void whatItFailedForIsOverAndTheNextMayBeginAtOnceButFailuresCountOn()
      throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      finish(UNREACHABLE);
      assertThat(operations.start("a", () -> Completion.DONE)).isEqualTo(Start.BACKING_OFF);
      operations.endPause("a");
    }
    finish(UNREACHABLE);
    time.advance(Duration.ofSeconds(121));
    assertThat(operations.start("a", () -> Completion.DONE)).isEqualTo(Start.BACKING_OFF);
  }

  @Test
  void whatRunsMeanwhileWakesItsKeyWhenItHasFailed() throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    operations.start(
        "a",
        () -> {
          over.await();
          return UNREACHABLE;
        });
    operations.endPause("a");
    over.countDown();
    Patience.until("it is over", () -> operations.running() == 0);
    assertThat(woken).containsExactly("a");
    finish(Completion.DONE);
  }

  @Test
  void whatTheServerDidNotAnswerIsTriedSoonHoweverOftenThatHappens() throws InterruptedException {
    Completion unanswered = new Completion.Unanswered("the server answered 401: Unauthorized");
    for (int i = 1; i <= 30; i++) {
      finish(unanswered);
      time.advance(Outcome.UNANSWERED_LONGEST.plusMillis(1));
      assertThat(woken).hasSize(i);
    }
    // and what fails by itself afterwards does not pay for it
    finish(UNREACHABLE);
    time.advance(Duration.ofSeconds(33));
    assertThat(woken).hasSize(31);
  }

  @Test
  void anOutageDoesNotEndTheBackOffOfWhatFailsByItself() throws InterruptedException {
    for (int i = 0; i < 9; i++) {
      finish(UNREACHABLE);
      time.advance(Duration.ofSeconds(123));
    }
    finish(new Completion.Unanswered("no answer"));
    time.advance(Duration.ofSeconds(16));
    woken.clear();
    finish(UNREACHABLE);
    time.advance(Duration.ofSeconds(121));
    assertThat(woken).isEmpty();
    time.advance(Duration.ofSeconds(2));
    assertThat(woken).hasSize(1);
  }

  @Test
  void anHourLaterWhatWasRefusedMayBeAskedForOnceMore() throws InterruptedException {
    finish(failed(new Failure.Rejected("mode Block is not supported")));
    time.advance(Duration.ofMinutes(61));
    finish(Completion.DONE);
  }

  @Test
  void likeKubernetesWhatWasRefusedBacksOff() throws InterruptedException {
    KeyedOperations<String> likeKubernetes =
        new KeyedOperations<>("test", time, Compat.KUBERNETES, woken::add);
    finish(likeKubernetes, "a", "basis", failed(new Failure.Rejected("no")));
    assertThat(likeKubernetes.start("a", "basis", () -> Completion.DONE))
        .isEqualTo(Start.BACKING_OFF);
    time.advance(Duration.ofMillis(501));
    assertThat(woken).containsExactly("a");
  }

  @Test
  void aFullBackendIsLeftAloneForAsLongAsItAsks() throws InterruptedException {
    finish(failed(new Failure.Exhausted("full", Duration.ofSeconds(30))));
    time.advance(Duration.ofSeconds(29));
    assertThat(operations.start("a", "basis", () -> Completion.DONE)).isEqualTo(Start.BACKING_OFF);
    assertThat(woken).isEmpty();
    time.advance(Duration.ofSeconds(2));
    assertThat(woken).containsExactly("a");
    finish(Completion.DONE);
  }

  @Test
  void keysThatNobodyAsksForAnyMoreCostNothing() {
    failing("gone-");
    time.advance(Duration.ofHours(2));
    failing("new-");
    assertThat(operations.keys()).isLessThan(4000);
  }

  private void failing(String prefix) {
    for (int i = 0; i < 3000; i++) {
      assertThat(operations.start(prefix + i, () -> UNREACHABLE)).isEqualTo(Start.STARTED);
    }
    Patience.until("all are over", () -> operations.running() == 0);
  }

  @Test
  void oneRunPerKey() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    operations.start(
        "a",
        () -> {
          release.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
          return Completion.DONE;
        });
    assertThat(operations.start("a", () -> Completion.DONE)).isEqualTo(Start.ALREADY_RUNNING);
    assertThat(operations.start("b", () -> Completion.DONE)).isEqualTo(Start.STARTED);
    release.countDown();
    assertThat(operations.close(Duration.ofSeconds(10))).isTrue();
    assertThat(operations.start("c", () -> Completion.DONE)).isEqualTo(Start.CLOSED);
  }

  /** A job of that key that is wanted with those bases, one after the other, while it runs. */
  private void wantedMeanwhile(Completion end, Object... bases) throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    operations.start(
        "a",
        "basis",
        () -> {
          release.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
          return end;
        });
    for (Object basis : bases) {
      assertThat(operations.start("a", basis, () -> Completion.DONE))
          .isEqualTo(Start.ALREADY_RUNNING);
    }
    release.countDown();
    Patience.until("it is over", () -> operations.running() == 0);
  }

  @Test
  void whatIsWantedWhileAnotherRunsHasItsKeyLookedAtAfterwards() throws InterruptedException {
    wantedMeanwhile(Completion.DONE, "another", "basis");
    assertThat(woken).as("the claim asks for more than the job gives").containsExactly("a");
    finish(Completion.DONE);
    assertThat(woken).as("said once").containsExactly("a");
  }

  @Test
  void whatIsWantedWhileAnotherIsRefusedHasItsKeyLookedAtAfterwards() throws InterruptedException {
    wantedMeanwhile(failed(new Failure.Rejected("too small")), "another");
    assertThat(woken).containsExactly("a");
    finish(operations, "a", "another", Completion.DONE);
  }

  @Test
  void theSameThatIsWantedOnceMoreWakesNobody() throws InterruptedException {
    wantedMeanwhile(Completion.DONE, "basis", "basis");
    assertThat(woken).isEmpty();
  }

  @Test
  void whatIsWantedWhileAnotherFailsWaitsForTheBackOff() throws InterruptedException {
    wantedMeanwhile(UNREACHABLE, "another");
    assertThat(woken).isEmpty();
    time.advance(Duration.ofSeconds(1));
    assertThat(woken).containsExactly("a");
  }

  @Test
  void aJobThatWaitsItsTurnRunsAsFarAsOthersAreConcerned() throws InterruptedException {
    List<Runnable> turns = new CopyOnWriteArrayList<>();
    CountDownLatch ran = new CountDownLatch(1);
    Job job =
        () -> {
          ran.countDown();
          return Completion.DONE;
        };
    assertThat(operations.start("a", "a", job, turns::add)).isEqualTo(Start.STARTED);
    assertThat(operations.start("a", "a", job, turns::add)).isEqualTo(Start.ALREADY_RUNNING);
    assertThat(operations.isRunning("a")).isTrue();
    assertThat(operations.isQuiet()).isFalse();
    assertThat(ran.getCount()).isEqualTo(1);
    turns.getFirst().run();
    assertThat(operations.close(Duration.ofSeconds(10))).isTrue();
    assertThat(ran.getCount()).isZero();
    assertThat(turns).hasSize(1);
  }

  /** Whoever takes over is alone: what has not begun does not begin any more. */
  @Test
  void aTurnThatComesAfterTheEndBeginsNothing() throws InterruptedException {
    List<Runnable> turns = new CopyOnWriteArrayList<>();
    AtomicBoolean begun = new AtomicBoolean();
    operations.start(
        "a",
        "a",
        () -> {
          begun.set(true);
          return UNREACHABLE;
        },
        turns::add);
    assertThat(operations.close(Duration.ZERO)).as("it has not ended").isFalse();
    turns.getFirst().run();
    assertThat(operations.running()).isZero();
    assertThat(begun).isFalse();
  }

  /** Else it would still write while another process has taken over. */
  @Test
  void whatIsInterruptedHasEndedWhenAllIsClosed() throws InterruptedException {
    CountDownLatch under = new CountDownLatch(1);
    AtomicBoolean cleanedUp = new AtomicBoolean();
    Thread closer = Thread.currentThread();
    operations.start(
        "a",
        () -> {
          under.countDown();
          try {
            new CountDownLatch(1).await();
          } finally {
            Patience.until(
                "the wait for it", () -> closer.getState() == Thread.State.TIMED_WAITING);
            cleanedUp.set(true);
          }
          return Completion.DONE;
        });
    under.await();
    assertThat(operations.close(Duration.ZERO)).as("by itself").isFalse();
    assertThat(cleanedUp).isTrue();
    assertThat(operations.running()).isZero();
  }

  @Test
  void whatIsAboutToBeTriedAgainIsNotQuiet() throws InterruptedException {
    assertThat(operations.isQuiet()).isTrue();
    finish(UNREACHABLE);
    assertThat(operations.isQuiet()).as("half a second of back-off is left").isFalse();
    time.advance(Duration.ofMillis(501));
    finish(UNREACHABLE);
    time.advance(Duration.ofMillis(1001));
    finish(UNREACHABLE);
    assertThat(operations.isQuiet()).as("two seconds are left").isTrue();
    time.advance(Duration.ofMillis(1500));
    assertThat(operations.isQuiet()).as("half a second is left").isFalse();
  }

  @Test
  void failuresBackOffAndWakeTheKeyWhenItIsOver() throws InterruptedException {
    finish(UNREACHABLE);
    assertThat(operations.start("a", () -> Completion.DONE)).isEqualTo(Start.BACKING_OFF);
    assertThat(woken).isEmpty();
    time.advance(Duration.ofMillis(501));
    assertThat(woken).containsExactly("a");
    finish(UNREACHABLE);
    time.advance(Duration.ofMillis(501));
    assertThat(operations.start("a", () -> Completion.DONE)).isEqualTo(Start.BACKING_OFF);
    time.advance(Duration.ofMillis(501));
    finish(Completion.DONE);
    finish(Completion.DONE);
  }

  @Test
  void backOffIsKubernetes() {
    assertThat(List.of(1, 2, 3, 8, 9, 10, 1000))
        .extracting(n -> OperationSlot.delay(n).toMillis())
        .containsExactly(500L, 1000L, 2000L, 64000L, 122000L, 122000L, 122000L);
  }

  @Test
  void whatAJobDoesIsDoneForTheKeyThatBeganIt() throws InterruptedException {
    List<String> acts = new CopyOnWriteArrayList<>();
    OwnDoing.Activity activity =
        new OwnDoing.Activity() {
          @Override
          public void acted(boolean write, String target, int content) {
            acts.add(target);
          }

          @Override
          public void echoed() {}
        };
    OwnDoing.<Start, RuntimeException>as(
        activity,
        () ->
            operations.start(
                "a",
                () -> {
                  Objects.requireNonNull(OwnDoing.current()).acted(false, "/volumes/v", 0);
                  return Completion.DONE;
                }));
    assertThat(operations.close(Duration.ofSeconds(10))).isTrue();
    assertThat(acts).containsExactly("/volumes/v");
  }
}
