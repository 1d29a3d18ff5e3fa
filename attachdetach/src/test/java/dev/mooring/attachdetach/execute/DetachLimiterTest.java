package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DetachLimiterTest {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> order = new ArrayList<>();
  private final SimTime time = new SimTime();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private DetachLimiter.Permit waiting(DetachLimiter limiter, String name, boolean awaited) {
    return waiting(limiter, "ns", name, awaited);
  }

  private DetachLimiter.Permit waiting(
      DetachLimiter limiter, String namespace, String name, boolean awaited) {
    DetachLimiter.Permit permit = limiter.permit(namespace, awaited);
    permit.whenGranted(() -> order.add(name));
    return permit;
  }

  @Test
  void permits_neverExceedWidthAndAllAreGranted() throws Exception {
    DetachLimiter limiter = new DetachLimiter(time, 3, 2);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger others = new AtomicInteger();
    AtomicInteger mostOthers = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(1000);
    for (int n = 0; n < 1000; n++) {
      int i = n;
      boolean awaited = i % 3 == 0;
      threads.submit(() -> {
        DetachLimiter.Permit permit = limiter.permit("ns" + i % 2, awaited);
        permit.whenGranted(() ->
            threads.submit(() -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              mostOthers.accumulateAndGet(
                  awaited ? others.get() : others.incrementAndGet(), Math::max);
              Thread.yield();
              now.decrementAndGet();
              others.addAndGet(awaited ? 0 : -1);
              permit.end();
              all.countDown();
            }));
      });
    }
    assertThat(all.await(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(most.get()).isBetween(1, 3);
    assertThat(mostOthers.get()).isBetween(1, 2);
  }

  @Test
  void idleDetaches_areFewAndLast() {
    DetachLimiter limiter = new DetachLimiter(time, 2, 1);
    DetachLimiter.Permit first = waiting(limiter, "other 1", false);
    waiting(limiter, "other 2", false);
    assertThat(order).as("one at a time").containsExactly("other 1");
    DetachLimiter.Permit urgent = waiting(limiter, "urgent 1", true);
    waiting(limiter, "urgent 2", true);
    assertThat(order).containsExactly("other 1", "urgent 1");
    first.end();
    assertThat(order).containsExactly("other 1", "urgent 1", "urgent 2");
    urgent.end();
    assertThat(order).containsExactly("other 1", "urgent 1", "urgent 2", "other 2");
  }

  @Test
  void prioritizedPermit_isGrantedFirst() {
    DetachLimiter limiter = new DetachLimiter(time, 2, 1);
    DetachLimiter.Permit first = waiting(limiter, "first", false);
    waiting(limiter, "second", false);
    DetachLimiter.Permit third = waiting(limiter, "third", false);
    third.prioritize();
    assertThat(order).containsExactly("first", "third");
    first.prioritize();
    third.prioritize();
    third.end();
    assertThat(order).as("the first still has the only idle permit").hasSize(2);
    first.end();
    assertThat(order).containsExactly("first", "third", "second");
  }

  @Test
  void end_calledTwice_returnsThePermitOnce() {
    DetachLimiter limiter = new DetachLimiter(time, 1, 1);
    DetachLimiter.Permit never = limiter.permit("ns", false);
    never.end();
    DetachLimiter.Permit first = waiting(limiter, "first", false);
    first.end();
    first.end();
    waiting(limiter, "second", true);
    waiting(limiter, "third", true);
    assertThat(order).containsExactly("first", "second");
  }

  @Test
  void idleDetaches_duringAttaches_areSlowed() {
    DetachLimiter limiter = new DetachLimiter(time, 3, 2);
    limiter.makeWay();
    DetachLimiter.Permit first = waiting(limiter, "first", false);
    DetachLimiter.Permit second = waiting(limiter, "second", false);
    assertThat(order).as("one at a time").containsExactly("first");
    time.advance(Duration.ofMillis(500));
    assertThat(order).as("while the first runs").containsExactly("first");
    waiting(limiter, "urgent", true);
    assertThat(order).as("awaited detaches are not slowed").containsExactly("first", "urgent");
    first.end();
    DetachLimiter.Permit third = waiting(limiter, "third", false);
    assertThat(order).containsExactly("first", "urgent", "second");
    time.advance(Duration.ofMillis(4));
    second.end();
    time.advance(Duration.ofMillis(20));
    assertThat(order).as("with a pause after it").doesNotContain("third");
    time.advance(Duration.ofMillis(1));
    assertThat(order).endsWith("third");
    waiting(limiter, "fourth", false);
    waiting(limiter, "fifth", false);
    time.advance(Duration.ofMillis(500));
    third.end();
    assertThat(order).as("no attach for a second").endsWith("third", "fourth", "fifth");
  }

  @Test
  void oneNamespace_whoseDetachesHang_leavesTheLastQuarterToOthers() {
    DetachLimiter limiter = new DetachLimiter(time, 8, 2);
    List<DetachLimiter.Permit> hanging = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      hanging.add(waiting(limiter, "many", "many", true));
    }
    assertThat(order).as("three quarters").hasSize(6);
    waiting(limiter, "few", "few 1", true);
    waiting(limiter, "few", "few 2", true);
    waiting(limiter, "third", "third", true);
    assertThat(order.subList(6, order.size())).containsExactly("few 1", "third");
    hanging.getFirst().end();
    assertThat(order).as("the last quarter is still taken").hasSize(8);
    hanging.get(1).end();
    assertThat(order).hasSize(8);
    hanging.get(2).end();
    assertThat(order).hasSize(9);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void waitingNamespaces_takeTurns(boolean awaited) {
    DetachLimiter limiter = new DetachLimiter(time, 1, 1);
    List<DetachLimiter.Permit> permits = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      permits.add(waiting(limiter, "many", "many " + i, awaited));
    }
    permits.add(waiting(limiter, "few", "few", awaited));
    permits.get(0).end();
    permits.get(1).end();
    permits.get(4).end();
    permits.get(2).end();
    assertThat(order).containsExactly("many 0", "many 1", "few", "many 2", "many 3");
  }
}
