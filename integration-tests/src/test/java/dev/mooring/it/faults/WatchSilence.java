package dev.mooring.it.faults;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * A period in which watches deliver nothing while their connections stay open; even their ends are
 * withheld. At its end the affected watches are cut. Thread-safe.
 */
final class WatchSilence {
  private final Set<ProxiedExchange> befallen = new HashSet<>();
  private boolean lasts;

  synchronized void begin() {
    lasts = true;
  }

  void end() throws IOException {
    Set<ProxiedExchange> all;
    synchronized (this) {
      lasts = false;
      all = Set.copyOf(befallen);
      befallen.clear();
    }
    for (ProxiedExchange one : all) {
      one.cut();
    }
  }

  /** Returns whether events of the watch are withheld now. */
  synchronized boolean withholds(ProxiedExchange watch) {
    if (lasts) {
      befallen.add(watch);
    }
    return lasts;
  }
}
