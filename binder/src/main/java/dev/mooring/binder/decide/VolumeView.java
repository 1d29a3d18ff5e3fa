package dev.mooring.binder.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;

/**
 * A volume and the claim that it names.
 *
 * @param volume the volume
 * @param claim what is known of the claim
 */
public record VolumeView(Volume volume, Known claim) {
  /** The same, with what the server has said of the claim, if it was asked. */
  public VolumeView with(LiveFacts live) {
    if (volume.claimRef() == null) {
      return this;
    }
    return switch (live.of(Kind.CLAIM, volume.claimRef().claim())) {
      case Fact.NotAsked<Claim> _ -> this;
      case Fact.Present<Claim>(Claim found) -> new VolumeView(volume, new Known.Live(found));
      case Fact.Absent<Claim> _ -> new VolumeView(volume, new Known.Gone());
      case Fact.Unknown<Claim>(String why) -> new VolumeView(volume, new Known.Unknown(why));
    };
  }

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

    /** The server was asked and gave no answer; why. */
    record Unknown(String why) implements Known {}
  }
}
