package dev.mooring.workqueue;

/** How processing a key ended. */
public enum Ended {
  /** Nothing is left to do. */
  SETTLED,
  /** Somebody else was first. */
  CONFLICTED,
  /** It failed and is tried again. */
  RETRIED,
  /** It failed and is not tried again before something changes. */
  GIVEN_UP,
  /** A bug. */
  FAULT,
  /** The key has become one that moves without cause, and is slowed down. */
  RESTLESS
}
