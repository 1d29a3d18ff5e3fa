package dev.mooring.manager.endpoint;

import dev.mooring.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Cache of the newest answers, a thousand at most. Failures are not cached. Thread-safe.
 *
 * @param <K> type of the questions
 * @param <V> type of the answers
 */
final class AnswerCache<K, V> {
  private static final int MOST = 1000;

  @FunctionalInterface
  interface Source<V> {
    V ask() throws IOException;
  }

  private record Answer<V>(V value, long at) {}

  private final Time time;
  private final long life;
  private final Map<K, Answer<V>> answers =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<K, Answer<V>> eldest) {
          return size() > MOST;
        }
      };

  AnswerCache(Time time, Duration life) {
    this.time = time;
    this.life = life.toNanos();
  }

  V get(K asked, Source<V> source) throws IOException {
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
