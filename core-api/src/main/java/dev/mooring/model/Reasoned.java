package dev.mooring.model;

/** A decision that has a reason of a catalogue. */
public interface Reasoned {
  /** Why it was decided so. */
  ReasonCode why();
}
