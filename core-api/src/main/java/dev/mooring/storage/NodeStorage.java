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

  enum Location {
    HERE,
    ELSEWHERE,
    UNKNOWN,
    UNANSWERED
  }

  Fit checkFit(VolumeService.Order order) throws InterruptedException;

  Location locate(Volume volume) throws InterruptedException;
}
