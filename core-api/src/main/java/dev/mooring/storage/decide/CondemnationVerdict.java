package dev.mooring.storage.decide;

import java.time.Instant;

/** Verdict when the storage of a volume whose claim is gone may be destroyed. */
public sealed interface CondemnationVerdict {
  /** No delay applies, or the deadline has passed: the usual checks decide. */
  record Due() implements CondemnationVerdict {}

  /** The delay begins. */
  record Condemn(Instant until) implements CondemnationVerdict {}

  record Wait(Instant until) implements CondemnationVerdict {}

  /** An annotation cannot be read: the storage stays until a person corrects it. */
  record Keep(String message) implements CondemnationVerdict {}
}
