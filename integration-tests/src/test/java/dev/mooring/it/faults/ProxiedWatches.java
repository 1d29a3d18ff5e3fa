package dev.mooring.it.faults;

import java.util.HashMap;
import java.util.Map;
import java.util.Map.Entry;

/** Which kinds somebody watches through the proxy, and which he did. */
final class ProxiedWatches {
  private final Map<String, Integer> open = new HashMap<>();

  synchronized void opened(String path) {
    open.merge(path, 1, Integer::sum);
  }

  synchronized void closed(String path) {
    open.merge(path, -1, Integer::sum);
  }

  /** Somebody wants to watch, whatever comes of it. */
  synchronized void wanted(String path) {
    open.putIfAbsent(path, 0);
  }

  /** Whether everything that was ever to be watched is. */
  synchronized boolean areAllOpen() {
    return open.entrySet().stream().map(Entry::getValue).allMatch(count -> count > 0);
  }

  @Override
  public synchronized String toString() {
    return open.toString();
  }
}
