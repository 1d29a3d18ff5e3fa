package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;

/**
 * A volume and the claim that it names.
 *
 * @param volume the volume
 * @param claim what is known of the claim
 */
public record VolumeView(Volume volume, Known claim) {
  /** What is known of the claim. Not cached and gone are different things. */
  public sealed interface Known {
    /** The cache has it. */
    record Cached(Claim claim) implements Known {}

    /** The cache does not have it. */
    record NotCached() implements Known {}

    /** The server was asked, and has it. */
    record Live(Claim claim) implements Known {}

    /** The server was asked, and has none. */
    record Gone() implements Known {}
  }
}
