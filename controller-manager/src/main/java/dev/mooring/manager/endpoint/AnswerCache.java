package dev.mooring.manager.endpoint;

import dev.mooring.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers answers for a while: the newest, a thousand at most. A failure to answer is not
 * remembered. Thread-safe.
 *
 * @param <K> what was asked
 * @param <V> what was answered
 */
final class AnswerCache<K, V> {
  private static final int MOST = 1000;

  /** Asks whoever knows. */
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

  /** One that remembers for so long. */
  AnswerCache(Time time, Duration life) {
    this.time = time;
    this.life = life.toNanos();
  }

  /** What is remembered, else what the source says now. */
  V get(K asked, Source<V> source) throws IOException {
    synchronized (answers) {
      Answer<V> known = answers.get(asked);
      if (known != null && time.nanos() - known.at < life) {
        return known.value;
      }
    }
    V value = source.ask();
    synchronized (answers) {
      answers.remove(asked); // its place is the newest's
      answers.put(asked, new Answer<>(value, time.nanos()));
    }
    return value;
  }
}
