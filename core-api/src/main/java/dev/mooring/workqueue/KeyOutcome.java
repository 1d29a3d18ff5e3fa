package dev.mooring.workqueue;

/** Result of processing a key, for metrics. */
public enum KeyOutcome {
  SETTLED,
  CONFLICTED,
  RETRIED,
  GIVEN_UP,
  FAULT,
  /** The key entered a hot loop, reconciling without an external change, and is slowed down. */
  RESTLESS
}
