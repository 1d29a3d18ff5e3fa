package dev.mooring.workqueue;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delayed keys: an unbounded heap and one timer for its first key. Being unbounded, it never
 * rejects or loses a key (G5).
 */
final class DelayedKeys<K> {
  private record Delayed<K>(K key, long due, long order) implements Comparable<Delayed<K>> {
    @Override
    public int compareTo(Delayed<K> other) {
      long difference = due - other.due; // compares differences, because nanos() may overflow
      return difference != 0 ? Long.signum(difference) : Long.compare(order, other.order);
    }
  }

  private final Time time;
  private final Consumer<K> release;
  private final PriorityQueue<Delayed<K>> heap = new PriorityQueue<>();
  private final Map<K, Delayed<K>> current = new HashMap<>();
  private Time.@Nullable Cancellable timer;
  private long timerDue;
  private long order;
  private boolean closed;

  DelayedKeys(Time time, Consumer<K> release) {
    this.time = time;
    this.release = release;
  }

  synchronized void add(K key, Duration delay) {
    if (closed) {
      return;
    }
    Delayed<K> delayed = new Delayed<>(key, time.nanos() + delay.toNanos(), order++);
    Delayed<K> earlier = current.get(key);
    if (earlier != null && earlier.due - delayed.due <= 0) {
      return;
    }
    // a later entry of the key stays in the heap and is skipped when it is due
    current.put(key, delayed);
    heap.add(delayed);
    arm();
  }

  private void arm() {
    while (!heap.isEmpty() && current.get(heap.peek().key()) != heap.peek()) {
      heap.poll();
    }
    Delayed<K> head = heap.peek();
    if (head == null || (timer != null && timerDue - head.due <= 0)) {
      return;
    }
    if (timer != null) {
      timer.cancel();
    }
    timerDue = head.due;
    timer = time.schedule(Duration.ofNanos(Math.max(0, head.due - time.nanos())), this::fire);
  }

  private void fire() {
    List<K> due = new ArrayList<>();
    synchronized (this) {
      timer = null;
      long now = time.nanos();
      while (!heap.isEmpty() && heap.peek().due - now <= 0) {
        Delayed<K> head = heap.poll();
        if (current.remove(head.key(), head)) {
          due.add(head.key());
        }
      }
      arm();
    }
    due.forEach(release);
  }

  synchronized boolean contains(K key) {
    return current.containsKey(key);
  }

  synchronized boolean isDue(Duration within) {
    long until = time.nanos() + within.toNanos();
    return current.values().stream().anyMatch(delayed -> delayed.due - until <= 0);
  }

  synchronized void close() {
    closed = true;
    heap.clear();
    current.clear();
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
