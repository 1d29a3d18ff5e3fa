package dev.mooring.storage.decide;

import dev.mooring.live.Question;

public sealed interface OwnerVerdict {
  record Ownerless() implements OwnerVerdict {}

  /**
   * An administrator removed the claim from the volume or reserved the volume by name.
   *
   * @param reason reason to keep the volume
   */
  record Freed(String reason) implements OwnerVerdict {}

  record Claimed(String reason) implements OwnerVerdict {}

  record Unknown(Question<?> question, String reason) implements OwnerVerdict {}
}
