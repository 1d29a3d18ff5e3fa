package dev.mooring.workqueue;

/** Result of processing a key, for metrics. */
public enum KeyOutcome {
  SETTLED,
  CONFLICTED,
  RETRIED,
  GIVEN_UP,
  FAULT,
  /** The key is in a hot loop: it is reconciled without an external change, with a back-off. */
  RESTLESS
}
