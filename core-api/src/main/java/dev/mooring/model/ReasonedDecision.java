package dev.mooring.model;

/** A decision with a reason code. */
public interface ReasonedDecision {
  ReasonCode why();
}
