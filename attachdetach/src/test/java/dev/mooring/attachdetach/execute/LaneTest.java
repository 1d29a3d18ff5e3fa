package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.testkit.SimTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaneTest {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  @Test
  void noMoreThanItsWidthAtATimeAndAllInTheEnd() throws Exception {
    Lane lane = new Lane(3, new SimTime());
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      all.add(
          threads.submit(() ->
              lane.when(() -> {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                Thread.yield();
                return now.decrementAndGet();
              })));
    }
    for (Future<Integer> one : all) {
      one.get(10, TimeUnit.SECONDS);
    }
    assertThat(most.get()).isBetween(1, 3);
  }

  @Test
  void whoIsInterruptedWhileWaitingLosesNoTurn() throws Exception {
    SimTime time = new SimTime();
    Lane lane = new Lane(1, time);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Future<Boolean> first =
        threads.submit(() ->
            lane.when(() -> {
              inside.countDown();
              goOn.await();
              return true;
            }));
    inside.await();
    Future<Boolean> second = threads.submit(() -> lane.when(() -> true));
    while (time.pending() == 0) {
      Thread.onSpinWait();
    }
    second.cancel(true);
    goOn.countDown();
    assertThat(first.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(threads.submit(() -> lane.when(() -> true)).get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whoHasNotBegunWaitsWithoutAThreadAndBehindThoseWhoHave() throws Exception {
    SimTime time = new SimTime();
    Lane lane = new Lane(1, time);
    List<String> order = new ArrayList<>();
    Lane.Turn first = lane.turn();
    first.whenItComes(() -> order.add("first begins"));
    Lane.Turn second = lane.turn();
    second.whenItComes(() -> order.add("second begins"));
    Lane.Turn third = lane.turn();
    third.whenItComes(() -> order.add("third begins"));
    Future<Boolean> again = threads.submit(() -> lane.when(() -> order.add("first goes on")));
    while (time.pending() == 0) {
      Thread.onSpinWait();
    }
    assertThat(order).containsExactly("first begins");
    first.use(() -> order.add("first asks"));
    again.get(10, TimeUnit.SECONDS);
    assertThat(second.use(() -> order.add("second asks"))).isTrue();
    assertThat(third.use(() -> order.add("third asks"))).isTrue();
    assertThat(order)
        .containsExactly(
            "first begins",
            "first asks",
            "first goes on",
            "second begins",
            "second asks",
            "third begins",
            "third asks");
    assertThat(lane.<Boolean>when(() -> true)).as("no turn is lost").isTrue();
  }

  @Test
  void aRequestThatFailsGivesItsTurnBack() throws Exception {
    Lane lane = new Lane(1, new SimTime());
    Lane.Turn turn = lane.turn();
    turn.whenItComes(() -> {});
    assertThatThrownBy(() ->
            turn.use(() -> {
              throw new IllegalStateException("a bug");
            }))
        .hasMessage("a bug");
    assertThat(lane.<Boolean>when(() -> true)).isTrue();
  }
}
