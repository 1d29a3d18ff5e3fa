package dev.mooring.it.faults;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * While it lasts watches tell nothing, and their connections stay up: not even that a watch has
 * ended is told. When it is over the watches that it befell are cut. Thread-safe.
 */
final class Silence {
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

  /** Whether what that watch would tell now is not to be told. */
  synchronized boolean befalls(ProxiedExchange watch) {
    if (lasts) {
      befallen.add(watch);
    }
    return lasts;
  }
}
