package dev.mooring.storage;

import dev.mooring.model.Volume;

/** Storage that is local to a node, with one instance per node. Thread-safe; calls block. */
public interface NodeStorage {
  /** Capacity check of a node for a volume. */
  enum Fit {
    ENOUGH,
    NOT_ENOUGH,
    /** The class does not allow this node. */
    NOT_ALLOWED,
    /** The storage is unavailable or busy; retry later. */
    NOT_NOW,
    /** The check failed; provisioning may return a clearer error. */
    UNKNOWN,
    /** The storage was not asked, because the API server did not answer a read. */
    UNANSWERED
  }

  /** Location of a volume relative to this node. */
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
