package dev.mooring.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import dev.mooring.time.SystemTime;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControllerRuntimeTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final SystemTime time = new SystemTime();
  private final List<String> happened = new CopyOnWriteArrayList<>();
  private final WorkQueue<String> first = new WorkQueue<>("first", time);
  private final WorkQueue<String> second = new WorkQueue<>("second", time);

  @AfterEach
  void endTimers() {
    time.close();
  }

  private Reconciler<String> noting(String what) {
    return key -> {
      happened.add(what + " " + key);
      return Outcome.SETTLED;
    };
  }

  @Test
  void partsBeginInTheirOrderAndAFirstPassIsMadeBeforeTheNextBegins() throws InterruptedException {
    second.add("x");
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.named("c")
                .once(() -> first.add("a"))
                .once(() -> first.add("b"))
                .loop(first, noting("first"), 1)
                .firstPass(first, GRACE)
                .once(() -> happened.add("between"))
                .loop(second, noting("second"), 1)
                .build(),
            time);
    runtime.start();
    Patience.until("everything is done", () -> happened.size() == 4);
    assertThat(happened).containsExactly("first a", "first b", "between", "second x");
    assertThat(runtime.queueStats()).extracting("name").containsExactly("first", "second");
    assertThat(runtime.stop(GRACE)).isTrue();
  }

  @Test
  void nothingBeginsBeforeItsCachesAreComplete() {
    Informer<Claim> never = new Informer<>(Kind.CLAIM, List.of());
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.named("c").reads(never).once(() -> happened.add("begun")).build(), time);
    Thread starting = Thread.ofVirtual().unstarted(() -> start(runtime));
    starting.start();
    Patience.until("it waits", () -> starting.getState() == Thread.State.WAITING);
    assertThat(happened).isEmpty();
    assertThat(runtime.isIdle()).as("what has not begun is not at rest").isFalse();
    starting.interrupt();
    Patience.until("it ends", () -> !starting.isAlive());
    assertThat(happened).isEmpty();
  }

  private static void start(ControllerRuntime runtime) {
    try {
      runtime.start();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void othersNeedNotWaitForWhatBeginsInTheBackgroundAndAStopEndsIt() throws InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.named("c")
                .background()
                .once(() -> {
                  reached.countDown();
                  new CountDownLatch(1).await(); // for ever
                })
                .loop(first, noting("first"), 1)
                .build(),
            time);
    first.add("a");
    runtime.start();
    reached.await();
    assertThat(runtime.isIdle()).isFalse();
    assertThat(runtime.stop(GRACE)).isTrue();
    assertThat(happened).as("a loop that had yet to begin never does").isEmpty();
  }

  /** What would be done then would be undone by nobody. */
  @Test
  void whatHadYetToBeginWhenItWasStoppedNeverDoes() throws InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.named("c")
                .once(() -> {
                  reached.countDown();
                  released.await();
                  happened.add("under way");
                })
                .once(() -> happened.add("next"))
                .build(),
            time);
    Thread starting = Thread.ofVirtual().start(() -> start(runtime));
    reached.await();
    assertThat(runtime.stop(GRACE)).isTrue();
    released.countDown();
    starting.join();
    assertThat(happened).containsExactly("under way");
    runtime.start();
    assertThat(happened).as("started after the stop").containsExactly("under way");
  }

  /** Work that ends while one looks, and leaves a key behind. */
  @Test
  void whoHandsAKeyOnIsNotTakenForAtRest() throws InterruptedException {
    AtomicInteger looks = new AtomicInteger();
    SlowWork ending =
        new SlowWork() {
          @Override
          public boolean isQuiet() {
            if (looks.getAndIncrement() == 0) {
              first.add("left behind");
              Patience.until("it is done", () -> first.isIdle(Duration.ZERO));
            }
            return true;
          }

          @Override
          public boolean close(Duration grace) {
            return true;
          }
        };
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.named("c").loop(first, noting("first"), 1).work(ending).build(), time);
    runtime.start();
    assertThat(runtime.isIdle()).isFalse();
    assertThat(runtime.isIdle()).as("when nothing happens meanwhile").isTrue();
    assertThat(runtime.stop(GRACE)).isTrue();
  }

  @Test
  void aStopFinishesWhatIsQueuedAndWhatIsSlowButNoPatrol() throws InterruptedException {
    CountDownLatch patrolling = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    SlowWork slow =
        new SlowWork() {
          @Override
          public boolean isQuiet() {
            return true;
          }

          @Override
          public boolean close(Duration grace) {
            happened.add("slow work ended");
            return true;
          }
        };
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.named("c")
                .patrol(
                    second,
                    key -> {
                      patrolling.countDown();
                      never.await();
                      return Outcome.SETTLED;
                    })
                .loop(first, noting("first"), 1)
                .work(slow)
                .build(),
            time);
    second.add("round");
    runtime.start();
    patrolling.await();
    assertThat(runtime.isIdle()).as("nobody waits for a patrol").isTrue();
    first.add("a");
    assertThat(runtime.stop(GRACE)).as("in time").isTrue();
    assertThat(happened).containsExactly("first a", "slow work ended");
  }

  @Test
  void whatIsDoneEveryPeriodEndsWithTheController() throws InterruptedException {
    SimTime sim = new SimTime();
    AtomicInteger times = new AtomicInteger();
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.named("c").every(Duration.ofSeconds(15), times::incrementAndGet).build(),
            sim);
    runtime.start();
    sim.advance(Duration.ofSeconds(46));
    assertThat(times).hasValue(3);
    runtime.stop(Duration.ZERO);
    sim.advance(Duration.ofMinutes(1));
    assertThat(times).hasValue(3);
    assertThat(sim.pending()).as("timers").isZero();
  }
}
