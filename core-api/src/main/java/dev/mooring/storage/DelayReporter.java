package dev.mooring.storage;

import dev.mooring.model.Volume;

/** Reports delays of deletions, as events on the volume. Thread-safe; must not block. */
public interface DelayReporter {
  void reportCondemned(Volume volume, String message);

  /** Reports that an annotation cannot be read. May be called often with the same message. */
  void reportUnreadableDelay(Volume volume, String message);
}
