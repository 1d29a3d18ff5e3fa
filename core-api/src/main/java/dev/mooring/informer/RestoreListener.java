package dev.mooring.informer;

import dev.mooring.model.Kind;

/** Receives a call when the API server was restored from a backup: its versions went back. */
@FunctionalInterface
public interface RestoreListener {
  /** Does nothing. */
  RestoreListener NONE = (kind, before, now) -> {};

  /**
   * A complete list is older than what the informer knew. Called before handlers see the list,
   * under the informer's lock: it must be quick, must not block and must not call an informer.
   *
   * @param kind the listed kind
   * @param before the version that was known
   * @param now the version of the list
   */
  void versionsWentBack(Kind<?> kind, long before, long now);
}
