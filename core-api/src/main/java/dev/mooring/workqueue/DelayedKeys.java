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
  // a deadline that a user wrote may be any year; the clock's nanoseconds end after 292 years
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private record DelayedKey<K>(K key, long dueNanos, long order)
      implements Comparable<DelayedKey<K>> {
    @Override
    public int compareTo(DelayedKey<K> other) {
      long difference =
          dueNanos - other.dueNanos; // compares differences, because nanos() may overflow
      return difference != 0 ? Long.signum(difference) : Long.compare(order, other.order);
    }
  }

  private final Time time;
  private final Consumer<K> queueKey;
  private final PriorityQueue<DelayedKey<K>> delayedKeys = new PriorityQueue<>();
  private final Map<K, DelayedKey<K>> earliestByKey = new HashMap<>();
  private Time.@Nullable Cancellable timer;
  private long timerDueNanos;
  private long order;
  private boolean closed;

  DelayedKeys(Time time, Consumer<K> queueKey) {
    this.time = time;
    this.queueKey = queueKey;
  }

  synchronized void add(K key, Duration delay) {
    if (closed) {
      return;
    }
    // a key that returns too early is delayed again
    Duration limited = delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
    DelayedKey<K> delayed = new DelayedKey<>(key, time.nanos() + limited.toNanos(), order++);
    DelayedKey<K> present = earliestByKey.get(key);
    if (present != null && present.dueNanos - delayed.dueNanos <= 0) {
      return;
    }
    // a later entry of the key stays in the heap and is skipped when it is due
    earliestByKey.put(key, delayed);
    delayedKeys.add(delayed);
    armTimer();
  }

  private void armTimer() {
    while (!delayedKeys.isEmpty()
        && earliestByKey.get(delayedKeys.peek().key()) != delayedKeys.peek()) {
      delayedKeys.poll();
    }
    DelayedKey<K> head = delayedKeys.peek();
    if (head == null || (timer != null && timerDueNanos - head.dueNanos <= 0)) {
      return;
    }
    if (timer != null) {
      timer.cancel();
    }
    timerDueNanos = head.dueNanos;
    timer =
        time.schedule(
            Duration.ofNanos(Math.max(0, head.dueNanos - time.nanos())), this::queueDueKeys);
  }

  private void queueDueKeys() {
    List<K> dueKeys = new ArrayList<>();
    synchronized (this) {
      timer = null;
      long now = time.nanos();
      while (!delayedKeys.isEmpty() && delayedKeys.peek().dueNanos - now <= 0) {
        DelayedKey<K> head = delayedKeys.poll();
        if (earliestByKey.remove(head.key(), head)) {
          dueKeys.add(head.key());
        }
      }
      armTimer();
    }
    dueKeys.forEach(queueKey);
  }

  synchronized boolean contains(K key) {
    return earliestByKey.containsKey(key);
  }

  synchronized boolean isDue(Duration within) {
    long deadline = time.nanos() + within.toNanos();
    return earliestByKey.values().stream().anyMatch(delayed -> delayed.dueNanos - deadline <= 0);
  }

  synchronized void close() {
    closed = true;
    delayedKeys.clear();
    earliestByKey.clear();
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
