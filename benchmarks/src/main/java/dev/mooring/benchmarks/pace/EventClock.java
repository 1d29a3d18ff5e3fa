package dev.mooring.benchmarks.pace;

import dev.mooring.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

final class EventClock implements Time {
  private record Event(long dueNanos, long order, Runnable task) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::dueNanos).thenComparing(Event::order));
  private long now;
  private long order;

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Instant now() {
    return Instant.EPOCH.plusNanos(now);
  }

  @Override
  public void sleep(Duration duration) {
    throw new UnsupportedOperationException("the simulation has one thread");
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    Event event = new Event(now + Math.max(0, delay.toNanos()), order++, task);
    events.add(event);
    return () -> events.remove(event);
  }

  void schedule(double seconds, Runnable task) {
    schedule(Duration.ofNanos((long) (seconds * 1e9)), task);
  }

  double seconds() {
    return now / 1e9;
  }

  void runUntil(double seconds) {
    long end = (long) (seconds * 1e9);
    while (!events.isEmpty() && events.peek().dueNanos() <= end) {
      Event event = events.poll();
      now = event.dueNanos();
      event.task().run();
    }
    now = end;
  }
}
