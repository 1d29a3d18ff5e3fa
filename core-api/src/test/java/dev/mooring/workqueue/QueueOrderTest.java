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

/** Compares the queue's order (G1, G3, G4, G11) with a model of plain lists. */
class QueueOrderTest {
  private static final int STEPS = 2_000;
  private static final int KEYS = 40;

  private final SystemTime time = new SystemTime();
  private final WorkQueue<Integer> queue = new WorkQueue<>("order", time);

  // the model
  private final List<Integer> expedited = new ArrayList<>();
  private final List<Integer> regular = new ArrayList<>();
  private final List<Integer> processed = new ArrayList<>();
  private final List<Integer> addedAgain = new ArrayList<>();
  private final List<Integer> expeditedAgain = new ArrayList<>();
  private int expeditedInRow;

  @AfterEach
  void stopTime() {
    time.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void order_randomOperations_matchesModel(long seed) throws InterruptedException {
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      int key = random.nextInt(KEYS);
      int operation = random.nextInt(10);
      if (operation < 4) {
        queue.add(key);
        add(key);
      } else if (operation < 6) {
        queue.addExpedited(key);
        addExpedited(key);
      } else if (operation < 8) {
        takeIfAvailable();
      } else if (!processed.isEmpty()) {
        int doneKey = processed.remove(random.nextInt(processed.size()));
        queue.done(doneKey);
        endProcessing(doneKey);
      }
      assertThat(queue.depth()).as("step %d", step).isEqualTo(expedited.size() + regular.size());
    }
    while (queue.depth() > 0) {
      takeIfAvailable();
    }
    assertThat(expedited).isEmpty();
    assertThat(regular).isEmpty();
  }

  @Test
  void expedite_manyQueuedKeys_takesEachOnce() throws InterruptedException {
    for (int key = 0; key < 1_000; key++) {
      queue.add(key);
    }
    for (int key = 999; key >= 0; key--) {
      queue.addExpedited(key);
    }
    assertThat(queue.depth()).isEqualTo(1_000);
    for (int key = 999; key >= 0; key--) {
      assertThat(takeKey()).isEqualTo(key);
      queue.done(key);
    }
    assertThat(queue.depth()).isZero();
  }

  @Test
  void stats_manyKeysInProcessing_timesEach() throws InterruptedException {
    for (int key = 0; key < 30; key++) {
      queue.add(key);
    }
    for (int key = 0; key < 30; key++) {
      takeKey();
    }
    for (int key = 0; key < 30; key += 2) {
      queue.done(key);
    }
    queue.add(100);
    takeKey();
    QueueStats stats = queue.stats();
    assertThat(stats.unfinishedSeconds())
        .as("sixteen keys, one taken later")
        .isGreaterThan(stats.longestRunningSeconds())
        .isLessThanOrEqualTo(16 * stats.longestRunningSeconds());
    for (int key = 1; key < 30; key += 2) {
      queue.done(key);
    }
    queue.done(100);
    assertThat(queue.stats().unfinishedSeconds()).isZero();
    assertThat(queue.stats().longestRunningSeconds()).isZero();
  }

  private void takeIfAvailable() throws InterruptedException {
    if (expedited.isEmpty() && regular.isEmpty()) {
      return;
    }
    int expected;
    if (!expedited.isEmpty()
        && (regular.isEmpty() || expeditedInRow < OwnerQueue.MAX_EXPEDITED_IN_ROW)) {
      expeditedInRow++;
      expected = expedited.removeFirst();
    } else {
      expeditedInRow = 0;
      expected = regular.removeFirst();
    }
    assertThat(takeKey()).isEqualTo(expected);
    processed.add(expected);
  }

  private int takeKey() throws InterruptedException {
    return queue.take() instanceof TakeResult.Item<Integer>(Integer key) ? key : -1;
  }

  private void add(int key) {
    if (processed.contains(key)) {
      if (!addedAgain.contains(key)) {
        addedAgain.add(key);
      }
    } else if (!expedited.contains(key) && !regular.contains(key)) {
      regular.add(key);
    }
  }

  private void addExpedited(int key) {
    if (processed.contains(key)) {
      add(key);
      expeditedAgain.add(key);
    } else if (!expedited.contains(key)) {
      regular.remove((Integer) key);
      expedited.add(key);
    }
  }

  private void endProcessing(int key) {
    boolean isExpedited = expeditedAgain.removeIf(other -> other == key);
    if (addedAgain.remove((Integer) key)) {
      (isExpedited ? expedited : regular).add(key);
    }
  }
}
