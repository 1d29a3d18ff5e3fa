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
    V ask() throws X;
  }

  private record Answer<V>(V value, long at) {}

  private final Time time;
  private final long life;
  private final Map<K, Answer<V>> answers;

  /**
   * Creates an empty cache.
   *
   * @param most maximum number of answers
   */
  public AnswerCache(Time time, Duration life, int most) {
    this.time = time;
    this.life = life.toNanos();
    this.answers =
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Answer<V>> eldest) {
            return size() > most;
          }
        };
  }

  public <X extends Exception> V get(K asked, Source<V, X> source) throws X {
    synchronized (answers) {
      Answer<V> known = answers.get(asked);
      if (known != null && time.nanos() - known.at < life) {
        return known.value;
      }
    }
    V value = source.ask();
    synchronized (answers) {
      answers.remove(asked); // re-insertion moves the entry to the end of the eviction order
      answers.put(asked, new Answer<>(value, time.nanos()));
    }
    return value;
  }
}
