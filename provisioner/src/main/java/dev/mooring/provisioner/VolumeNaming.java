package dev.mooring.provisioner;

import dev.mooring.provisioner.decide.VolumeNames;

/**
 * How volumes are called.
 *
 * @param prefix what names begin with
 * @param uidLength how much of the claim's uid follows, without its dashes; -1 for all of it, with
 *     them
 */
public record VolumeNaming(String prefix, int uidLength) {
  /** The sidecar's. */
  public static final VolumeNaming DEFAULTS =
      new VolumeNaming(VolumeNames.DEFAULTS.prefix(), VolumeNames.DEFAULTS.uidLength());

  /**
   * Checked.
   *
   * @throws IllegalArgumentException naming the flag that cannot be
   */
  public VolumeNaming {
    new VolumeNames(prefix, uidLength);
  }

  VolumeNames names() {
    return new VolumeNames(prefix, uidLength);
  }
}
