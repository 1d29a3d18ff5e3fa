package dev.mooring.storage.decide;

import java.time.Instant;

/** Verdict when the storage of a volume whose claim is gone may be destroyed. */
public sealed interface CondemnationVerdict {
  record Due() implements CondemnationVerdict {}

  record Condemn(Instant until) implements CondemnationVerdict {}

  record Wait(Instant until) implements CondemnationVerdict {}

  /** An annotation cannot be read: the storage stays until a person corrects it. */
  record Keep(String message) implements CondemnationVerdict {}
}
