package dev.mooring.it.faults;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * A period in which open watches deliver neither events nor their end. When the period ends, the
 * proxy cuts these watches. Thread-safe.
 */
final class WatchSilence {
  private final Set<ProxiedExchange> silencedWatches = new HashSet<>();
  private boolean isActive;

  synchronized void start() {
    isActive = true;
  }

  void stop() throws IOException {
    Set<ProxiedExchange> watchesToCut;
    synchronized (this) {
      isActive = false;
      watchesToCut = Set.copyOf(silencedWatches);
      silencedWatches.clear();
    }
    for (ProxiedExchange watch : watchesToCut) {
      watch.cutConnections();
    }
  }

  /** Returns whether the watch is silenced now; the end of the period then cuts it. */
  synchronized boolean isSilenced(ProxiedExchange watch) {
    if (isActive) {
      silencedWatches.add(watch);
    }
    return isActive;
  }
}
