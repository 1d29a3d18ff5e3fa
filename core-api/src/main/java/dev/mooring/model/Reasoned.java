package dev.mooring.model;

/** A decision with a reason code. */
public interface Reasoned {
  /** Returns the reason for the decision. */
  ReasonCode why();
}
