package dev.mooring.binder.decide;

public sealed interface ReclaimDecision {
  record Others() implements ReclaimDecision {}

  record Retain() implements ReclaimDecision {}

  record Delete() implements ReclaimDecision {}

  record Destroyed() implements ReclaimDecision {}

  record Recycle() implements ReclaimDecision {}

  record UnknownPolicy() implements ReclaimDecision {}
}
