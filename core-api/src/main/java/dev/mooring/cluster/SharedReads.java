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
 * Shares expensive reads, for example lists, among keys. A key accepts an answer if its read began
 * after the key's own time stamp and at most five seconds ago. At most one read per subject runs at
 * a time; other keys get a callback when it ends and occupy no worker. Thread-safe.
 *
 * @param <V> type of the answer
 */
public final class SharedReads<V> {
  private static final Duration MAX_AGE = Duration.ofSeconds(5);

  @FunctionalInterface
  public interface Reading<V> {
    ReadResult<V> read(String subject) throws InterruptedException;
  }

  private record Answer<V>(long began, V value) {}

  private static final class Subject<V> {
    private @Nullable Answer<V> last;
    private boolean reading;
    private final List<Runnable> waiting = new ArrayList<>();
  }

  private final Reading<V> reading;
  private final Time time;
  private final Map<String, Subject<V>> subjects = new HashMap<>(); // guarded by this

  public SharedReads(Reading<V> reading, Time time) {
    this.reading = reading;
    this.time = time;
  }

  /** Returns the last answer if its read began after {@code nanos} and the answer is recent. */
  public synchronized Optional<V> since(String subject, long nanos) {
    Subject<V> known = subjects.get(subject);
    Answer<V> last = known == null ? null : known.last;
    return last != null && last.began() - nanos > 0 && !isExpired(last)
        ? Optional.of(last.value())
        : Optional.empty();
  }

  private boolean isExpired(Answer<V> answer) {
    return time.nanos() - answer.began() >= MAX_AGE.toNanos();
  }

  /**
   * Returns whether the caller may now read the subject and must then call {@link #ends}.
   *
   * @param ended runs once after the current read, if the caller may not read; must be quick
   */
  public synchronized boolean begins(String subject, Runnable ended) {
    Subject<V> known = subjects.computeIfAbsent(subject, s -> new Subject<>());
    if (known.reading) {
      known.waiting.add(ended);
      return false;
    }
    known.reading = true;
    return true;
  }

  public ReadResult<V> read(String subject) throws InterruptedException {
    long began = time.nanos();
    ReadResult<V> result = reading.read(subject);
    if (result instanceof ReadResult.Found<V>(V value)) {
      synchronized (this) {
        subjects.computeIfAbsent(subject, s -> new Subject<>()).last = new Answer<>(began, value);
      }
      time.schedule(MAX_AGE, () -> drop(subject));
    }
    return result;
  }

  public void ends(String subject) {
    List<Runnable> waiting;
    synchronized (this) {
      Subject<V> known = subjects.computeIfAbsent(subject, s -> new Subject<>());
      known.reading = false;
      waiting = List.copyOf(known.waiting);
      known.waiting.clear();
      drop(subject);
    }
    waiting.forEach(Runnable::run);
  }

  private synchronized void drop(String subject) {
    Subject<V> known = subjects.get(subject);
    if (known != null && !known.reading && (known.last == null || isExpired(known.last))) {
      subjects.remove(subject);
    }
  }
}
