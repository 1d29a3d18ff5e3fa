package dev.mooring.binder.decide;

/** Next step for a volume whose claim is gone. */
public sealed interface ReclaimDecision {
  /** An external provisioner handles the volume. */
  record Others() implements ReclaimDecision {}

  record Retain() implements ReclaimDecision {}

  record Delete() implements ReclaimDecision {}

  /** The storage was destroyed; only finalizers of others keep the object. */
  record Destroyed() implements ReclaimDecision {}

  /** Scrub the volume and make it Available. */
  record Recycle() implements ReclaimDecision {}

  record UnknownPolicy() implements ReclaimDecision {}
}
