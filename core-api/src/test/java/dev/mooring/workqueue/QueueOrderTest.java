package dev.mooring.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.time.SystemTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue's order (G1, G3, G4, G11) beside lists in which everything is searched for. */
class QueueOrderTest {
  private static final int STEPS = 2_000;
  private static final int KEYS = 40;

  private final SystemTime time = new SystemTime();
  private final WorkQueue<Integer> queue = new WorkQueue<>("order", time);

  // what the queue is beside
  private final List<Integer> forward = new ArrayList<>();
  private final List<Integer> others = new ArrayList<>();
  private final List<Integer> processed = new ArrayList<>();
  private final List<Integer> again = new ArrayList<>();
  private final List<Integer> againForward = new ArrayList<>();
  private int inRow;

  @AfterEach
  void stopTime() {
    time.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void isThatOfPlainLists(long seed) throws InterruptedException {
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      int key = random.nextInt(KEYS);
      int what = random.nextInt(10);
      if (what < 4) {
        queue.add(key);
        add(key);
      } else if (what < 6) {
        queue.addForward(key);
        addForward(key);
      } else if (what < 8) {
        takeIfThereIsOne();
      } else if (!processed.isEmpty()) {
        int ended = processed.remove(random.nextInt(processed.size()));
        queue.done(ended);
        done(ended);
      }
      assertThat(queue.depth()).as("step %d", step).isEqualTo(forward.size() + others.size());
    }
    while (queue.depth() > 0) {
      takeIfThereIsOne();
    }
    assertThat(forward).isEmpty();
    assertThat(others).isEmpty();
  }

  @Test
  void whoIsBroughtForwardOverAndOverIsTakenOnceEach() throws InterruptedException {
    for (int key = 0; key < 1_000; key++) {
      queue.add(key);
    }
    for (int key = 999; key >= 0; key--) {
      queue.addForward(key);
    }
    assertThat(queue.depth()).isEqualTo(1_000);
    for (int key = 999; key >= 0; key--) {
      assertThat(taken()).isEqualTo(key);
      queue.done(key);
    }
    assertThat(queue.depth()).isZero();
  }

  @Test
  void whatIsProcessedIsTimedHoweverMuchItIs() throws InterruptedException {
    for (int key = 0; key < 30; key++) {
      queue.add(key);
    }
    for (int key = 0; key < 30; key++) {
      taken();
    }
    for (int key = 0; key < 30; key += 2) {
      queue.done(key);
    }
    queue.add(100);
    taken();
    QueueStats stats = queue.stats();
    assertThat(stats.unfinishedSeconds())
        .as("sixteen of them, of which one began last")
        .isGreaterThan(stats.longestRunningSeconds())
        .isLessThanOrEqualTo(16 * stats.longestRunningSeconds());
    for (int key = 1; key < 30; key += 2) {
      queue.done(key);
    }
    queue.done(100);
    assertThat(queue.stats().unfinishedSeconds()).isZero();
    assertThat(queue.stats().longestRunningSeconds()).isZero();
  }

  private void takeIfThereIsOne() throws InterruptedException {
    if (forward.isEmpty() && others.isEmpty()) {
      return;
    }
    int expected;
    if (!forward.isEmpty() && (others.isEmpty() || inRow < Line.IN_A_ROW)) {
      inRow++;
      expected = forward.removeFirst();
    } else {
      inRow = 0;
      expected = others.removeFirst();
    }
    assertThat(taken()).isEqualTo(expected);
    processed.add(expected);
  }

  private int taken() throws InterruptedException {
    return queue.take() instanceof Taken.Item<Integer>(Integer key) ? key : -1;
  }

  private void add(int key) {
    if (processed.contains(key)) {
      if (!again.contains(key)) {
        again.add(key);
      }
    } else if (!forward.contains(key) && !others.contains(key)) {
      others.add(key);
    }
  }

  private void addForward(int key) {
    if (processed.contains(key)) {
      add(key);
      againForward.add(key);
    } else if (!forward.contains(key)) {
      others.remove((Integer) key);
      forward.add(key);
    }
  }

  private void done(int key) {
    boolean first = againForward.removeIf(other -> other == key);
    if (again.remove((Integer) key)) {
      (first ? forward : others).add(key);
    }
  }
}
