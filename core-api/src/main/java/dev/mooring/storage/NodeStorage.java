package dev.mooring.storage;

import dev.mooring.model.Volume;

/** Storage that is local to a node, with one instance per node. Thread-safe; calls block. */
public interface NodeStorage {
  enum Fit {
    ENOUGH,
    NOT_ENOUGH,
    NOT_ALLOWED,
    NOT_NOW,
    UNKNOWN,
    UNANSWERED
  }

  enum Where {
    HERE,
    ELSEWHERE,
    UNKNOWN,
    UNANSWERED
  }

  Fit fit(VolumeService.Order order) throws InterruptedException;

  Where where(Volume volume) throws InterruptedException;
}
