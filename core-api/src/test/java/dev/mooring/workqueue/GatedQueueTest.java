package dev.mooring.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Queues with a gate (G13). */
class GatedQueueTest {
  /** Keys "0/…" and "1/…" have the lane of their first digit, unless the test moves them. */
  private static final class TwoLanes implements LaneGate<String> {
    private final int[] room = {10, 10};
    private final Map<String, Integer> movedKeys = new HashMap<>();
    private final List<Runnable> callbacks = new ArrayList<>();

    @Override
    public int laneCount() {
      return room.length;
    }

    @Override
    public synchronized int laneOf(String key) {
      return movedKeys.getOrDefault(key, key.charAt(0) - '0');
    }

    @Override
    public synchronized boolean tryEnter(int lane) {
      if (room[lane] == 0) {
        return false;
      }
      room[lane]--;
      return true;
    }

    @Override
    public synchronized void leave(int lane) {
      room[lane]++;
    }

    @Override
    public void onRoom(Runnable callback) {
      callbacks.add(callback);
    }

    synchronized void setRoom(int lane, int count) {
      room[lane] = count;
    }

    synchronized void move(String key, int lane) {
      movedKeys.put(key, lane);
    }
  }

  private final TwoLanes gate = new TwoLanes();
  private final WorkQueue<String> queue =
      WorkQueue.gated(
          "gated",
          new SystemTime(),
          new Backoff<>(Duration.ofSeconds(1), Duration.ofSeconds(1)),
          key -> "",
          gate);

  private String take() throws InterruptedException {
    return queue.take() instanceof TakeResult.Item<String>(String key) ? key : "shut down";
  }

  private FutureTask<String> startTake() {
    FutureTask<String> takenKey = new FutureTask<>(this::take);
    Thread thread = Thread.ofPlatform().daemon().start(takenKey);
    TestWait.until(
        "the worker waits", () -> thread.getState() == Thread.State.WAITING || takenKey.isDone());
    return takenKey;
  }

  @Test
  void g13_lanesWithRoom_areServedInOrder() throws InterruptedException {
    List.of("1/a", "0/a", "1/b", "0/b").forEach(queue::add);
    assertThat(List.of(take(), take(), take(), take())).containsExactly("0/a", "0/b", "1/a", "1/b");
  }

  @Test
  void g13_fullLane_leavesKeysToOtherLanes() throws InterruptedException {
    gate.setRoom(0, 1);
    List.of("0/a", "0/b", "1/a").forEach(queue::add);
    assertThat(List.of(take(), take())).containsExactly("0/a", "1/a");
    assertThat(queue.isIdle(Duration.ZERO)).isFalse();
    queue.done("0/a");
    assertThat(take()).isEqualTo("0/b");
  }

  @Test
  void g13_keyDone_givesRoomToWaitingWorker() throws Exception {
    gate.setRoom(1, 1);
    List.of("1/a", "1/b").forEach(queue::add);
    assertThat(take()).isEqualTo("1/a");
    FutureTask<String> waiting = startTake();
    assertThat(waiting.isDone()).isFalse();
    queue.done("1/a");
    assertThat(waiting.get()).isEqualTo("1/b");
  }

  @Test
  void g13_roomForTwo_wakesTwoWorkers() throws Exception {
    gate.setRoom(0, 0);
    List.of("0/a", "0/b").forEach(queue::add);
    FutureTask<String> first = startTake();
    FutureTask<String> second = startTake();
    gate.setRoom(0, 2);
    gate.callbacks.forEach(Runnable::run);
    assertThat(List.of(first.get(), second.get())).containsExactlyInAnyOrder("0/a", "0/b");
  }

  @Test
  void g13_keyWithNewLane_isTakenInNewLane() throws InterruptedException {
    List.of("0/a", "0/b").forEach(queue::add);
    gate.move("0/a", 1);
    gate.setRoom(1, 0);
    assertThat(take()).isEqualTo("0/b");
    gate.setRoom(1, 1);
    assertThat(take()).isEqualTo("0/a");
    queue.done("0/a");
    assertThat(gate.room[1]).as("room of the lane in which it was processed").isEqualTo(1);
  }
}
