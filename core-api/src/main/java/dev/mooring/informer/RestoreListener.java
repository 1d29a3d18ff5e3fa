package dev.mooring.informer;

import dev.mooring.model.Kind;

/**
 * Receives a call when versions have gone back, because the API server was restored from a backup.
 */
@FunctionalInterface
public interface RestoreListener {
  RestoreListener NONE = (kind, previousVersion, listVersion) -> {};

  /**
   * Called when a complete list is older than the informer's contents. Runs before handlers receive
   * the list, under the informer's lock: it must return quickly, must not block and must not call
   * an informer.
   *
   * @param kind listed kind
   * @param previousVersion previous version
   * @param listVersion version of the list
   */
  void versionsWentBack(Kind<?> kind, long previousVersion, long listVersion);
}
