package dev.mooring.it.faults;

import java.util.HashMap;
import java.util.Map;
import java.util.Map.Entry;

/** Tracks which kinds clients watch through the proxy, and which watches they have requested. */
final class ProxiedWatches {
  private final Map<String, Integer> openCounts = new HashMap<>();

  synchronized void countOpened(String path) {
    openCounts.merge(path, 1, Integer::sum);
  }

  synchronized void countClosed(String path) {
    openCounts.merge(path, -1, Integer::sum);
  }

  /** Records the request for a watch, even if it fails. */
  synchronized void recordRequest(String path) {
    openCounts.putIfAbsent(path, 0);
  }

  /** Returns whether every requested watch is open. */
  synchronized boolean areAllOpen() {
    return openCounts.entrySet().stream().map(Entry::getValue).allMatch(count -> count > 0);
  }

  @Override
  public synchronized String toString() {
    return openCounts.toString();
  }
}
