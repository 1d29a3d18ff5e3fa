package dev.mooring.storage;

import dev.mooring.model.Volume;

/**
 * The storage of one node, where each node has an instance of its own that makes and destroys the
 * volumes there. Thread-safe; the calls block.
 */
public interface NodeStorage {
  /** Whether a volume could be made on the node at the moment. */
  enum Fit {
    /** There is room for it. */
    ENOUGH,
    /** There is none. */
    NOT_ENOUGH,
    /** Its class does not allow this node. */
    NOT_ALLOWED,
    /** The storage is away or busy: it may be asked again. */
    NOT_NOW,
    /** That cannot be found out; whoever tries may be told more. */
    UNKNOWN,
    /** The storage was not asked: the API server did not say for what. */
    UNANSWERED
  }

  /** Whose a volume is. */
  enum Where {
    /** This node reaches it. */
    HERE,
    /** It does not: another node's instance sees to it. */
    ELSEWHERE,
    /** That could not be found out. */
    UNKNOWN,
    /** The API server did not say. */
    UNANSWERED
  }

  /** Asks the storage whether the volume could be made; changes nothing. */
  Fit fit(VolumeService.Order order) throws InterruptedException;

  /** Finds out whether the volume is on the node, past every cache. */
  Where where(Volume volume) throws InterruptedException;
}
