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
  public interface SubjectReader<V> {
    ReadResult<V> read(String subject) throws InterruptedException;
  }

  private record Answer<V>(long startNanos, V value) {}

  private static final class SubjectState<V> {
    private @Nullable Answer<V> last;
    private boolean isReading;
    private final List<Runnable> callbacks = new ArrayList<>();
  }

  private final SubjectReader<V> reading;
  private final Time time;
  private final Map<String, SubjectState<V>> subjects = new HashMap<>(); // guarded by this

  public SharedReads(SubjectReader<V> reading, Time time) {
    this.reading = reading;
    this.time = time;
  }

  /** Returns the last answer if its read began after {@code nanos} and the answer is recent. */
  public synchronized Optional<V> findSince(String subject, long nanos) {
    SubjectState<V> state = subjects.get(subject);
    Answer<V> last = state == null ? null : state.last;
    return last != null && last.startNanos() - nanos > 0 && !isExpired(last)
        ? Optional.of(last.value())
        : Optional.empty();
  }

  private boolean isExpired(Answer<V> answer) {
    return time.nanos() - answer.startNanos() >= MAX_AGE.toNanos();
  }

  /**
   * Returns whether the caller may now read the subject and must then call {@link #finish}.
   *
   * @param onEnd runs once after the current read, if the caller may not read; must be quick
   */
  public synchronized boolean tryStart(String subject, Runnable onEnd) {
    SubjectState<V> state = subjects.computeIfAbsent(subject, s -> new SubjectState<>());
    if (state.isReading) {
      state.callbacks.add(onEnd);
      return false;
    }
    state.isReading = true;
    return true;
  }

  public ReadResult<V> read(String subject) throws InterruptedException {
    long startNanos = time.nanos();
    ReadResult<V> result = reading.read(subject);
    if (result instanceof ReadResult.Found<V>(V value)) {
      synchronized (this) {
        subjects.computeIfAbsent(subject, s -> new SubjectState<>()).last =
            new Answer<>(startNanos, value);
      }
      time.schedule(MAX_AGE, () -> drop(subject));
    }
    return result;
  }

  public void finish(String subject) {
    List<Runnable> callbacks;
    synchronized (this) {
      SubjectState<V> state = subjects.computeIfAbsent(subject, s -> new SubjectState<>());
      state.isReading = false;
      callbacks = List.copyOf(state.callbacks);
      state.callbacks.clear();
      drop(subject);
    }
    callbacks.forEach(Runnable::run);
  }

  private synchronized void drop(String subject) {
    SubjectState<V> state = subjects.get(subject);
    if (state != null && !state.isReading && (state.last == null || isExpired(state.last))) {
      subjects.remove(subject);
    }
  }
}
