package dev.mooring.workqueue;

/** Result of processing a key, for metrics. */
public enum Ended {
  SETTLED,
  /** A concurrent write caused a conflict. */
  CONFLICTED,
  /** Processing failed and is retried with back-off. */
  RETRIED,
  /** Processing failed and is retried only after a change. */
  GIVEN_UP,
  /** Processing failed because of a bug. */
  FAULT,
  /** The key entered a hot loop, reconciling without an external change, and is slowed down. */
  RESTLESS
}
