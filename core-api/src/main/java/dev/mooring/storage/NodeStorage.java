package dev.mooring.storage;

import dev.mooring.model.Volume;

/** Storage that is local to a node, with one instance per node. Thread-safe; calls block. */
public interface NodeStorage {
  enum Fit {
    ENOUGH,
    NOT_ENOUGH,
    NOT_ALLOWED,
    /** The storage is unavailable or busy; retry later. */
    NOT_NOW,
    /** The check failed; provisioning may return a clearer error. */
    UNKNOWN,
    /** The storage was not asked, because the API server did not answer a read. */
    UNANSWERED
  }

  enum Where {
    HERE,
    /** Another node's instance is responsible. */
    ELSEWHERE,
    /** The check failed. */
    UNKNOWN,
    /** The API server did not answer a read. */
    UNANSWERED
  }

  /** Checks whether the storage could provision the volume; changes nothing. */
  Fit fit(VolumeService.Order order) throws InterruptedException;

  /** Checks live whether the volume is on this node. */
  Where where(Volume volume) throws InterruptedException;
}
