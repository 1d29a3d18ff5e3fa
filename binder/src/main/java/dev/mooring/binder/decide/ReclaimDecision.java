package dev.mooring.binder.decide;

/** What is to become of a volume whose claim is gone. */
public sealed interface ReclaimDecision {
  /** It is an external provisioner's: nothing, here. */
  record Others() implements ReclaimDecision {}

  /** It is kept as it is. */
  record Retain() implements ReclaimDecision {}

  /** It is destroyed. */
  record Delete() implements ReclaimDecision {}

  /** It was destroyed: only others' finalizers keep the object. */
  record Destroyed() implements ReclaimDecision {}

  /** It is emptied and given to anybody. */
  record Recycle() implements ReclaimDecision {}

  /** It says something that nobody understands. */
  record UnknownPolicy() implements ReclaimDecision {}
}
