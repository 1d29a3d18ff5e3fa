package dev.mooring.model;

/** A decision with a reason code. */
public interface ReasonedChoice {
  ReasonCode reason();
}
