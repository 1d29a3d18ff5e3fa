package dev.mooring.manager.endpoint;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Cache of the newest answers. Failures are not cached. Thread-safe.
 *
 * @param <K> type of the questions
 * @param <V> type of the answers
 */
public final class AnswerCache<K, V> {
  @FunctionalInterface
  public interface Source<V, X extends Exception> {
    V load() throws X;
  }

  private record Answer<V>(V value, long loadedNanos) {}

  private final Time time;
  private final long lifetimeNanos;
  private final Map<K, Answer<V>> answers;

  /**
   * Creates an empty cache.
   *
   * @param maxAnswers maximum number of answers
   */
  public AnswerCache(Time time, Duration lifetime, int maxAnswers) {
    this.time = time;
    this.lifetimeNanos = lifetime.toNanos();
    this.answers =
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Answer<V>> eldest) {
            return size() > maxAnswers;
          }
        };
  }

  public <X extends Exception> V get(K question, Source<V, X> source) throws X {
    synchronized (answers) {
      Answer<V> cached = answers.get(question);
      if (cached != null && time.nanos() - cached.loadedNanos < lifetimeNanos) {
        return cached.value;
      }
    }
    V value = source.load();
    synchronized (answers) {
      answers.remove(question); // re-insertion moves the entry to the end of the eviction order
      answers.put(question, new Answer<>(value, time.nanos()));
    }
    return value;
  }
}
