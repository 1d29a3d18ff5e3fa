package dev.mooring.storage;

import dev.mooring.model.Volume;

/** Storage that is local to a node, with one instance per node. Thread-safe; calls block. */
public interface NodeStorage {
  enum Fit {
    ENOUGH,
    NOT_ENOUGH,
    NOT_ALLOWED,
    NOT_NOW,
    /** The check failed; provisioning may return a clearer error. */
    UNKNOWN,
    UNANSWERED
  }

  enum Where {
    HERE,
    ELSEWHERE,
    UNKNOWN,
    UNANSWERED
  }

  /** Checks whether the storage could provision the volume; changes nothing. */
  Fit fit(VolumeService.Order order) throws InterruptedException;

  Where where(Volume volume) throws InterruptedException;
}
