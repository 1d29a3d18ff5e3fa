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
  void stopThreads() {
    threads.shutdownNow();
  }

  private DetachLimiter.Permit awaitPermit(DetachLimiter limiter, String name, boolean isAwaited) {
    return awaitPermit(limiter, "ns", name, isAwaited);
  }

  private DetachLimiter.Permit awaitPermit(
      DetachLimiter limiter, String namespace, String name, boolean isAwaited) {
    DetachLimiter.Permit permit = limiter.createPermit(namespace, isAwaited);
    permit.awaitGrant(() -> order.add(name));
    return permit;
  }

  @Test
  void awaitGrant_manyPermits_neverExceedsMaximumAndGrantsAll() throws Exception {
    DetachLimiter limiter = new DetachLimiter(time, 3, 2);
    AtomicInteger granted = new AtomicInteger();
    AtomicInteger maxGranted = new AtomicInteger();
    AtomicInteger grantedIdle = new AtomicInteger();
    AtomicInteger maxGrantedIdle = new AtomicInteger();
    CountDownLatch released = new CountDownLatch(1000);
    for (int n = 0; n < 1000; n++) {
      int i = n;
      boolean isAwaited = i % 3 == 0;
      threads.submit(() -> {
        DetachLimiter.Permit permit = limiter.createPermit("ns" + i % 2, isAwaited);
        permit.awaitGrant(() ->
            threads.submit(() -> {
              maxGranted.accumulateAndGet(granted.incrementAndGet(), Math::max);
              maxGrantedIdle.accumulateAndGet(
                  isAwaited ? grantedIdle.get() : grantedIdle.incrementAndGet(), Math::max);
              Thread.yield();
              granted.decrementAndGet();
              grantedIdle.addAndGet(isAwaited ? 0 : -1);
              permit.release();
              released.countDown();
            }));
      });
    }
    assertThat(released.await(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(maxGranted.get()).isBetween(1, 3);
    assertThat(maxGrantedIdle.get()).isBetween(1, 2);
  }

  @Test
  void awaitGrant_idlePermits_areFewAndLast() {
    DetachLimiter limiter = new DetachLimiter(time, 2, 1);
    DetachLimiter.Permit first = awaitPermit(limiter, "other 1", false);
    awaitPermit(limiter, "other 2", false);
    assertThat(order).as("one at a time").containsExactly("other 1");
    DetachLimiter.Permit urgent = awaitPermit(limiter, "urgent 1", true);
    awaitPermit(limiter, "urgent 2", true);
    assertThat(order).containsExactly("other 1", "urgent 1");
    first.release();
    assertThat(order).containsExactly("other 1", "urgent 1", "urgent 2");
    urgent.release();
    assertThat(order).containsExactly("other 1", "urgent 1", "urgent 2", "other 2");
  }

  @Test
  void prioritize_idlePermit_isGrantedFirst() {
    DetachLimiter limiter = new DetachLimiter(time, 2, 1);
    DetachLimiter.Permit first = awaitPermit(limiter, "first", false);
    awaitPermit(limiter, "second", false);
    DetachLimiter.Permit third = awaitPermit(limiter, "third", false);
    third.prioritize();
    assertThat(order).containsExactly("first", "third");
    first.prioritize();
    third.prioritize();
    third.release();
    assertThat(order).as("the first still has the only idle permit").hasSize(2);
    first.release();
    assertThat(order).containsExactly("first", "third", "second");
  }

  @Test
  void release_calledTwice_returnsPermitOnce() {
    DetachLimiter limiter = new DetachLimiter(time, 1, 1);
    DetachLimiter.Permit ungranted = limiter.createPermit("ns", false);
    ungranted.release();
    DetachLimiter.Permit first = awaitPermit(limiter, "first", false);
    first.release();
    first.release();
    awaitPermit(limiter, "second", true);
    awaitPermit(limiter, "third", true);
    assertThat(order).containsExactly("first", "second");
  }

  @Test
  void delayIdlePermits_duringAttaches_grantsOneAtATime() {
    DetachLimiter limiter = new DetachLimiter(time, 3, 2);
    limiter.delayIdlePermits();
    DetachLimiter.Permit first = awaitPermit(limiter, "first", false);
    DetachLimiter.Permit second = awaitPermit(limiter, "second", false);
    assertThat(order).as("one at a time").containsExactly("first");
    time.advance(Duration.ofMillis(500));
    assertThat(order).as("while the first runs").containsExactly("first");
    awaitPermit(limiter, "urgent", true);
    assertThat(order).as("awaited detaches are not slowed").containsExactly("first", "urgent");
    first.release();
    DetachLimiter.Permit third = awaitPermit(limiter, "third", false);
    assertThat(order).containsExactly("first", "urgent", "second");
    time.advance(Duration.ofMillis(4));
    second.release();
    time.advance(Duration.ofMillis(20));
    assertThat(order).as("with a pause after it").doesNotContain("third");
    time.advance(Duration.ofMillis(1));
    assertThat(order).endsWith("third");
    awaitPermit(limiter, "fourth", false);
    awaitPermit(limiter, "fifth", false);
    time.advance(Duration.ofMillis(500));
    third.release();
    assertThat(order).as("no attach for a second").endsWith("third", "fourth", "fifth");
  }

  @Test
  void awaitGrant_detachesOfNamespaceHang_leavesLastQuarterToOthers() {
    DetachLimiter limiter = new DetachLimiter(time, 8, 2);
    List<DetachLimiter.Permit> hanging = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      hanging.add(awaitPermit(limiter, "many", "many", true));
    }
    assertThat(order).as("three quarters").hasSize(6);
    awaitPermit(limiter, "few", "few 1", true);
    awaitPermit(limiter, "few", "few 2", true);
    awaitPermit(limiter, "third", "third", true);
    assertThat(order.subList(6, order.size())).containsExactly("few 1", "third");
    hanging.getFirst().release();
    assertThat(order).as("the last quarter is still taken").hasSize(8);
    hanging.get(1).release();
    assertThat(order).hasSize(8);
    hanging.get(2).release();
    assertThat(order).hasSize(9);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void awaitGrant_waitingNamespaces_takeTurns(boolean isAwaited) {
    DetachLimiter limiter = new DetachLimiter(time, 1, 1);
    List<DetachLimiter.Permit> permits = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      permits.add(awaitPermit(limiter, "many", "many " + i, isAwaited));
    }
    permits.add(awaitPermit(limiter, "few", "few", isAwaited));
    permits.get(0).release();
    permits.get(1).release();
    permits.get(4).release();
    permits.get(2).release();
    assertThat(order).containsExactly("many 0", "many 1", "few", "many 2", "many 3");
  }
}
