package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.testkit.SimTime;
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

class LaneTest {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> order = new ArrayList<>();
  private final SimTime time = new SimTime();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private Lane.Turn waiting(Lane lane, String name, boolean awaited) {
    Lane.Turn turn = lane.turn(awaited);
    turn.whenItComes(() -> order.add(name));
    return turn;
  }

  @Test
  void noMoreThanItsWidthAtATimeAndAllInTheEnd() throws Exception {
    Lane lane = new Lane(time, 3, 2);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger others = new AtomicInteger();
    AtomicInteger mostOthers = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(1000);
    for (int i = 0; i < 1000; i++) {
      boolean awaited = i % 3 == 0;
      threads.submit(() -> {
        Lane.Turn turn = lane.turn(awaited);
        turn.whenItComes(() ->
            threads.submit(() -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              mostOthers.accumulateAndGet(
                  awaited ? others.get() : others.incrementAndGet(), Math::max);
              Thread.yield();
              now.decrementAndGet();
              others.addAndGet(awaited ? 0 : -1);
              turn.end();
              all.countDown();
            }));
      });
    }
    assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(most.get()).isBetween(1, 3);
    assertThat(mostOthers.get()).isBetween(1, 2);
  }

  @Test
  void thoseThatNobodyWaitsForAreAFewAndLast() {
    Lane lane = new Lane(time, 2, 1);
    Lane.Turn first = waiting(lane, "other 1", false);
    waiting(lane, "other 2", false);
    assertThat(order).as("one at a time").containsExactly("other 1");
    Lane.Turn urgent = waiting(lane, "urgent 1", true);
    waiting(lane, "urgent 2", true);
    assertThat(order).containsExactly("other 1", "urgent 1");
    first.end();
    assertThat(order).containsExactly("other 1", "urgent 1", "urgent 2");
    urgent.end();
    assertThat(order).containsExactly("other 1", "urgent 1", "urgent 2", "other 2");
  }

  @Test
  void whoIsHurriedGoesFirst() {
    Lane lane = new Lane(time, 2, 1);
    Lane.Turn first = waiting(lane, "first", false);
    waiting(lane, "second", false);
    Lane.Turn third = waiting(lane, "third", false);
    third.hurry();
    assertThat(order).containsExactly("first", "third");
    first.hurry();
    third.hurry();
    third.end();
    assertThat(order).as("the first has still the one turn of its kind").hasSize(2);
    first.end();
    assertThat(order).containsExactly("first", "third", "second");
  }

  @Test
  void aTurnIsGivenBackOnce() {
    Lane lane = new Lane(time, 1, 1);
    Lane.Turn never = lane.turn(false);
    never.end();
    Lane.Turn first = waiting(lane, "first", false);
    first.end();
    first.end();
    waiting(lane, "second", true);
    waiting(lane, "third", true);
    assertThat(order).containsExactly("first", "second");
  }

  @Test
  void othersMakeWayWhileVolumesAreBeingAttached() {
    Lane lane = new Lane(time, 3, 2);
    lane.makeWay();
    Lane.Turn first = waiting(lane, "first", false);
    Lane.Turn second = waiting(lane, "second", false);
    assertThat(order).as("one at a time").containsExactly("first");
    time.advance(Duration.ofMillis(500));
    assertThat(order).as("however long it takes").containsExactly("first");
    waiting(lane, "urgent", true);
    assertThat(order).as("nobody makes way who is waited for").containsExactly("first", "urgent");
    first.end();
    Lane.Turn third = waiting(lane, "third", false);
    assertThat(order).containsExactly("first", "urgent", "second");
    time.advance(Duration.ofMillis(4));
    second.end();
    time.advance(Duration.ofMillis(20));
    assertThat(order).as("with a pause after it").doesNotContain("third");
    time.advance(Duration.ofMillis(1));
    assertThat(order).endsWith("third");
    waiting(lane, "fourth", false);
    waiting(lane, "fifth", false);
    time.advance(Duration.ofMillis(500));
    third.end();
    assertThat(order).as("no attach for a second").endsWith("third", "fourth", "fifth");
  }
}
