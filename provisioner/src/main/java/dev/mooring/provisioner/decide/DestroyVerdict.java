package dev.mooring.provisioner.decide;

import dev.mooring.model.Volume;

/** Decision whether to delete a volume's storage, based on live objects. */
public sealed interface DestroyVerdict {
  record Confirmed(Volume volume) implements DestroyVerdict {}

  /** Keep it until the volume changes. */
  record Spare() implements DestroyVerdict {}

  /** Keep it and annotate the volume, because its claim never used it. */
  record Kept(Volume volume) implements DestroyVerdict {}

  record Twin(Volume twin) implements DestroyVerdict {}

  record NotYet(String reason) implements DestroyVerdict {}

  record Unknown(String message) implements DestroyVerdict {}
}
