package dev.mooring.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
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
  private final List<String> actions = new CopyOnWriteArrayList<>();
  private final WorkQueue<String> firstQueue = new WorkQueue<>("first", time);
  private final WorkQueue<String> secondQueue = new WorkQueue<>("second", time);

  @AfterEach
  void endTimers() {
    time.close();
  }

  private Reconciler<String> recordKeys(String action) {
    return key -> {
      actions.add(action + " " + key);
      return Outcome.SETTLED;
    };
  }

  @Test
  void start_firstPass_delaysFollowingParts() throws InterruptedException {
    secondQueue.add("x");
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.builder("c")
                .once(() -> firstQueue.add("a"))
                .once(() -> firstQueue.add("b"))
                .loop(firstQueue, recordKeys("first"), 1)
                .firstPass(firstQueue, GRACE)
                .once(() -> actions.add("between"))
                .loop(secondQueue, recordKeys("second"), 1)
                .build(),
            time);
    runtime.start();
    TestWait.until("all actions", () -> actions.size() == 4);
    assertThat(actions).containsExactly("first a", "first b", "between", "second x");
    assertThat(runtime.queueStats()).extracting("name").containsExactly("first", "second");
    assertThat(runtime.stop(GRACE)).isTrue();
  }

  @Test
  void start_incompleteCache_waits() {
    Informer<Claim> never = new Informer<>(Kind.CLAIM, List.of());
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.builder("c").reads(never).once(() -> actions.add("begun")).build(),
            time);
    Thread starting = Thread.ofVirtual().unstarted(() -> start(runtime));
    starting.start();
    TestWait.until("the start waits", () -> starting.getState() == Thread.State.WAITING);
    assertThat(actions).isEmpty();
    assertThat(runtime.isIdle()).as("before the start").isFalse();
    starting.interrupt();
    TestWait.until("the start ends", () -> !starting.isAlive());
    assertThat(actions).isEmpty();
  }

  private static void start(ControllerRuntime runtime) {
    try {
      runtime.start();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void stop_backgroundStartInProgress_interruptsIt() throws InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.builder("c")
                .background()
                .once(() -> {
                  reached.countDown();
                  new CountDownLatch(1).await(); // never returns
                })
                .loop(firstQueue, recordKeys("first"), 1)
                .build(),
            time);
    firstQueue.add("a");
    runtime.start();
    reached.await();
    assertThat(runtime.isIdle()).isFalse();
    assertThat(runtime.stop(GRACE)).isTrue();
    assertThat(actions).as("loops after the stop").isEmpty();
  }

  // An action after the stop would never be undone.
  @Test
  void stop_duringStart_skipsFollowingParts() throws InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.builder("c")
                .once(() -> {
                  reached.countDown();
                  released.await();
                  actions.add("in progress");
                })
                .once(() -> actions.add("next"))
                .build(),
            time);
    Thread starting = Thread.ofVirtual().start(() -> start(runtime));
    reached.await();
    assertThat(runtime.stop(GRACE)).isTrue();
    released.countDown();
    starting.join();
    assertThat(actions).containsExactly("in progress");
    runtime.start();
    assertThat(actions).as("started after the stop").containsExactly("in progress");
  }

  // Work ends during the check and leaves a key in a queue that was idle.
  @Test
  void isIdle_workEndsDuringCheck_isFalse() throws InterruptedException {
    AtomicInteger checks = new AtomicInteger();
    SlowWork endsDuringCheck =
        new SlowWork() {
          @Override
          public boolean isQuiet() {
            if (checks.getAndIncrement() == 0) {
              firstQueue.add("late");
              TestWait.until("idle queue", () -> firstQueue.isIdle(Duration.ZERO));
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
            ControllerSpec.builder("c")
                .loop(firstQueue, recordKeys("first"), 1)
                .work(endsDuringCheck)
                .build(),
            time);
    runtime.start();
    assertThat(runtime.isIdle()).isFalse();
    assertThat(runtime.isIdle()).as("without changes during the check").isTrue();
    assertThat(runtime.stop(GRACE)).isTrue();
  }

  @Test
  void stop_queuedKeysAndSlowWork_finishButNotPatrol() throws InterruptedException {
    CountDownLatch runsPeriodicTask = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    SlowWork slow =
        new SlowWork() {
          @Override
          public boolean isQuiet() {
            return true;
          }

          @Override
          public boolean close(Duration grace) {
            actions.add("slow work ended");
            return true;
          }
        };
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.builder("c")
                .patrol(
                    secondQueue,
                    key -> {
                      runsPeriodicTask.countDown();
                      never.await();
                      return Outcome.SETTLED;
                    })
                .loop(firstQueue, recordKeys("first"), 1)
                .work(slow)
                .build(),
            time);
    secondQueue.add("round");
    runtime.start();
    runsPeriodicTask.await();
    assertThat(runtime.isIdle()).as("a patrol does not count").isTrue();
    firstQueue.add("a");
    assertThat(runtime.stop(GRACE)).as("in time").isTrue();
    assertThat(actions).containsExactly("first a", "slow work ended");
  }

  @Test
  void every_afterStop_runsNoMore() throws InterruptedException {
    SimTime sim = new SimTime();
    AtomicInteger times = new AtomicInteger();
    ControllerRuntime runtime =
        new ControllerRuntime(
            ControllerSpec.builder("c")
                .repeat(Duration.ofSeconds(15), times::incrementAndGet)
                .build(),
            sim);
    runtime.start();
    sim.advance(Duration.ofSeconds(46));
    assertThat(times).hasValue(3);
    runtime.stop(Duration.ZERO);
    sim.advance(Duration.ofMinutes(1));
    assertThat(times).hasValue(3);
    assertThat(sim.pendingTimers()).as("timers").isZero();
  }
}
