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
 * Keys that wait for their moment. A heap without bound, one timer for its head: nothing is ever
 * handed over through something that can be full (G5).
 */
final class Delays<K> {
  private record Waiting<K>(K key, long due, long order) implements Comparable<Waiting<K>> {
    @Override
    public int compareTo(Waiting<K> other) {
      long apart = due - other.due; // differences, because nanos() may wrap
      return apart != 0 ? Long.signum(apart) : Long.compare(order, other.order);
    }
  }

  private final Time time;
  private final Consumer<K> release;
  private final PriorityQueue<Waiting<K>> heap = new PriorityQueue<>();
  private final Map<K, Waiting<K>> current = new HashMap<>();
  private Time.@Nullable Cancellable timer;
  private long timerDue;
  private long order;
  private boolean closed;

  Delays(Time time, Consumer<K> release) {
    this.time = time;
    this.release = release;
  }

  synchronized void add(K key, Duration delay) {
    if (closed) {
      return;
    }
    Waiting<K> waiting = new Waiting<>(key, time.nanos() + delay.toNanos(), order++);
    Waiting<K> before = current.get(key);
    if (before != null && before.due - waiting.due <= 0) {
      return;
    }
    current.put(
        key,
        waiting); // a later entry of the same key stays in the heap and is skipped when it comes up
    heap.add(waiting);
    arm();
  }

  private void arm() {
    while (!heap.isEmpty() && current.get(heap.peek().key()) != heap.peek()) {
      heap.poll();
    }
    Waiting<K> head = heap.peek();
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
        Waiting<K> head = heap.poll();
        if (current.remove(head.key(), head)) {
          due.add(head.key());
        }
      }
      arm();
    }
    due.forEach(release);
  }

  /** Whether the key waits. */
  synchronized boolean contains(K key) {
    return current.containsKey(key);
  }

  /** Whether a key falls due within that time. */
  synchronized boolean isDue(Duration within) {
    long until = time.nanos() + within.toNanos();
    return current.values().stream().anyMatch(waiting -> waiting.due - until <= 0);
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
