package dev.mooring.cluster;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Expensive reads, such as lists, that several keys share. An answer counts for a key if its read
 * began after the moment that the key names, and for five seconds at most. At most one read per
 * subject runs at a time. A key that arrives meanwhile is called back when the read has ended, and
 * occupies no worker. Thread-safe.
 *
 * @param <V> the answer
 */
public final class SharedReads<V> {
  private static final Duration LASTS = Duration.ofSeconds(5);

  /**
   * Reads from the API server.
   *
   * @param <V> the answer
   */
  @FunctionalInterface
  public interface Reading<V> {
    /** Reads what is known of the subject, for example of a namespace; blocks. */
    ReadResult<V> read(String subject) throws InterruptedException;
  }

  private record Answer<V>(long began, V value) {}

  private static final class Subject<V> {
    private @Nullable Answer<V> last;
    private boolean isRead; // at this moment
    private final List<Runnable> waiting = new ArrayList<>();
  }

  private final Reading<V> reading;
  private final Time time;
  private final Map<String, Subject<V>> subjects = new HashMap<>(); // guarded by this

  /** Nothing is read yet. */
  public SharedReads(Reading<V> reading, Time time) {
    this.reading = reading;
    this.time = time;
  }

  /** The last answer, if its read began after that moment and the answer is recent. */
  public synchronized Optional<V> since(String subject, long nanos) {
    Subject<V> known = subjects.get(subject);
    Answer<V> last = known == null ? null : known.last;
    return last != null && last.began() - nanos > 0 && !isOver(last)
        ? Optional.of(last.value())
        : Optional.empty();
  }

  private boolean isOver(Answer<V> answer) {
    return time.nanos() - answer.began() >= LASTS.toNanos();
  }

  /**
   * Whether the caller may read the subject now; {@link #ends} must follow.
   *
   * @param ended runs once when the read that is under way has ended, if the caller may not; quick
   */
  public synchronized boolean begins(String subject, Runnable ended) {
    Subject<V> known = subjects.computeIfAbsent(subject, s -> new Subject<>());
    if (known.isRead) {
      known.waiting.add(ended);
      return false;
    }
    known.isRead = true;
    return true;
  }

  /** Reads the subject, and keeps the answer for others. */
  public ReadResult<V> read(String subject) throws InterruptedException {
    long began = time.nanos();
    ReadResult<V> result = reading.read(subject);
    if (result instanceof ReadResult.Found<V>(V value)) {
      synchronized (this) {
        subjects.computeIfAbsent(subject, s -> new Subject<>()).last = new Answer<>(began, value);
      }
      time.schedule(LASTS, () -> drop(subject));
    }
    return result;
  }

  /** Ends the caller's read of the subject and calls the waiting keys back. */
  public void ends(String subject) {
    List<Runnable> waiting;
    synchronized (this) {
      Subject<V> known = subjects.computeIfAbsent(subject, s -> new Subject<>());
      known.isRead = false;
      waiting = List.copyOf(known.waiting);
      known.waiting.clear();
      drop(subject);
    }
    waiting.forEach(Runnable::run);
  }

  private synchronized void drop(String subject) {
    Subject<V> known = subjects.get(subject);
    if (known != null && !known.isRead && (known.last == null || isOver(known.last))) {
      subjects.remove(subject);
    }
  }
}
