package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConcurrencyWindowTest {
  private static final long QUICK = 1_000_000;

  private final SimTime time = new SimTime();
  private final ConcurrencyWindow window = new ConcurrencyWindow(time);
  private final ConcurrentLinkedQueue<String> entered = new ConcurrentLinkedQueue<>();

  private void fill() throws InterruptedException {
    for (int i = window.limit(); i > 0; i--) {
      window.enter(false);
    }
  }

  private Thread startNamedWaiter(String name, boolean isPreferred) {
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                window.enter(isPreferred);
                entered.add(name);
              } catch (InterruptedException stopped) {
                entered.add(name + " stopped");
              }
            });
    TestWait.until(
        name + " waits", () -> thread.getState() == Thread.State.WAITING || !thread.isAlive());
    return thread;
  }

  @Test
  void enter_preferred_precedesOthers() throws Exception {
    fill();
    startNamedWaiter("ordinary", false);
    startNamedWaiter("preferred", true);
    window.withdraw();
    TestWait.until("first entry", () -> !entered.isEmpty());
    window.withdraw();
    TestWait.until("both entries", () -> entered.size() == 2);
    assertThat(entered).containsExactly("preferred", "ordinary");
  }

  @Test
  void leave_windowGrows_admitsTwo() throws Exception {
    fill();
    startNamedWaiter("a", false);
    startNamedWaiter("b", false);
    window.leave(QUICK); // was full and quick: the window grows by one
    TestWait.until("both entries", () -> entered.size() == 2);
  }

  @Test
  void enter_interruptedWaiter_passesItsTurnOn() throws Exception {
    fill();
    startNamedWaiter("ordinary", false);
    Thread stopped = startNamedWaiter("preferred", true);
    stopped.interrupt();
    stopped.join();
    window.withdraw();
    TestWait.until("entry", () -> entered.contains("ordinary"));
    assertThat(entered).containsExactly("preferred stopped", "ordinary");
  }

  @Test
  void awaitIdle_lastWriteEnds_returns() throws Exception {
    assertThat(window.awaitIdle(0)).isTrue();
    window.enter(false);
    window.enter(false);
    assertThat(window.awaitIdle(0)).as("two writes running").isFalse();
    Thread waiter =
        Thread.ofPlatform()
            .start(() -> {
              try {
                entered.add("none: " + window.awaitIdle(Long.MAX_VALUE));
              } catch (InterruptedException stopped) {
                entered.add("stopped");
              }
            });
    TestWait.until("waiting thread", () -> waiter.getState() == Thread.State.TIMED_WAITING);
    window.withdraw();
    assertThat(window.awaitIdle(0)).as("one write running").isFalse();
    assertThat(entered).isEmpty();
    window.leave(QUICK);
    waiter.join();
    assertThat(entered).containsExactly("none: true");
  }

  @Test
  void awaitIdle_throttled_waitsForThePause() throws Exception {
    window.pauseWrites(Duration.ofSeconds(1));
    assertThat(window.awaitIdle(0)).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(window.awaitIdle(0)).isTrue();
  }

  @Test
  void enter_concurrentWriters_allProceed() throws Exception {
    int entriesPerThread = 500;
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger finished = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      boolean isPreferred = i % 3 == 0;
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  for (int j = 0; j < entriesPerThread; j++) {
                    window.enter(isPreferred);
                    inside.incrementAndGet();
                    Thread.yield();
                    inside.decrementAndGet();
                    window.leave(j % 7 == 0 ? 50 * QUICK : QUICK); // grows and shrinks
                    finished.incrementAndGet();
                  }
                } catch (InterruptedException stopped) {
                  Thread.currentThread().interrupt();
                }
              }));
      if (i % 8 == 7) {
        Thread interruptedWaiter = startWaiter();
        interruptedWaiter.interrupt();
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(finished).hasValue(32 * entriesPerThread);
    assertThat(inside).hasValue(0);
  }

  private Thread startWaiter() {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            window.enter(true);
            window.withdraw();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
        });
  }
}
