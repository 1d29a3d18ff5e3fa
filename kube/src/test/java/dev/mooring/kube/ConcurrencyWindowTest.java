package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
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

  private Thread waiter(String name, boolean first) {
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                window.enter(first);
                entered.add(name);
              } catch (InterruptedException stopped) {
                entered.add(name + " stopped");
              }
            });
    Patience.until(
        name + " waits", () -> thread.getState() == Thread.State.WAITING || !thread.isAlive());
    return thread;
  }

  @Test
  void whoGoesFirstDoesNotWaitBehindThoseWhoBegin() throws Exception {
    fill();
    waiter("begins", false);
    waiter("ends", true);
    window.withdraw();
    Patience.until("one has entered", () -> !entered.isEmpty());
    window.withdraw();
    Patience.until("both have entered", () -> entered.size() == 2);
    assertThat(entered).containsExactly("ends", "begins");
  }

  @Test
  void roomThatOneEndMakesForTwoIsUsedByTwo() throws Exception {
    fill();
    waiter("a", false);
    waiter("b", false);
    window.leave(QUICK); // was full and quick: the window grows by one
    Patience.until("both have entered", () -> entered.size() == 2);
  }

  @Test
  void whoIsStoppedWhileItWaitsTakesNobodysTurn() throws Exception {
    fill();
    waiter("begins", false);
    Thread stopped = waiter("ends", true);
    stopped.interrupt();
    stopped.join();
    window.withdraw();
    Patience.until("it has entered", () -> entered.contains("begins"));
    assertThat(entered).containsExactly("ends stopped", "begins");
  }

  @Test
  void thereIsNoneWhenTheLastIsOverOrDidNotHappen() throws Exception {
    assertThat(window.awaitNone(0)).isTrue();
    window.enter(false);
    window.enter(false);
    assertThat(window.awaitNone(0)).as("two under way").isFalse();
    Thread waiter =
        Thread.ofPlatform()
            .start(() -> {
              try {
                entered.add("none: " + window.awaitNone(Long.MAX_VALUE));
              } catch (InterruptedException stopped) {
                entered.add("stopped");
              }
            });
    Patience.until("it waits", () -> waiter.getState() == Thread.State.TIMED_WAITING);
    window.withdraw();
    assertThat(window.awaitNone(0)).as("one under way").isFalse();
    assertThat(entered).isEmpty();
    window.leave(QUICK);
    waiter.join();
    assertThat(entered).containsExactly("none: true");
  }

  @Test
  void thereIsNoRoomForOthersWhileTheServerAsksForPatience() throws Exception {
    window.throttled(Duration.ofSeconds(1));
    assertThat(window.awaitNone(0)).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(window.awaitNone(0)).isTrue();
  }

  @Test
  void everybodyGetsInHoweverTheyMeet() throws Exception {
    int each = 500;
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      boolean first = i % 3 == 0;
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  for (int j = 0; j < each; j++) {
                    window.enter(first);
                    inside.incrementAndGet();
                    Thread.yield();
                    inside.decrementAndGet();
                    window.leave(j % 7 == 0 ? 50 * QUICK : QUICK); // grows and shrinks
                    done.incrementAndGet();
                  }
                } catch (InterruptedException stopped) {
                  Thread.currentThread().interrupt();
                }
              }));
      if (i % 8 == 7) {
        Thread victim = waiterOrNot();
        victim.interrupt();
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(done).hasValue(32 * each);
    assertThat(inside).hasValue(0);
  }

  /** One that may be stopped at any moment of its waiting. */
  private Thread waiterOrNot() {
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
