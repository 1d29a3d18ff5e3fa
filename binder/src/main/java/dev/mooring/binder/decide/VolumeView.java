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
 * @param past what this process remembers of the two
 */
public record VolumeView(Volume volume, Known claim, Past past) {
  /**
   * What a process remembers of a volume and its claim.
   *
   * @param claimHadNone whether the claim went without ever having had a volume
   * @param kept whether the volume was kept, as it is now, when the API server had said that its
   *     claim is gone
   */
  public record Past(boolean claimHadNone, boolean kept) {
    /** Nothing. */
    public static final Past UNKNOWN = new Past(false, false);
  }

  public VolumeView(Volume volume, Known claim) {
    this(volume, claim, Past.UNKNOWN);
  }

  public VolumeView remembering(Past remembered) {
    return new VolumeView(volume, claim, remembered);
  }

  /** The same, with what the server has said of the claim, if it was asked. */
  public VolumeView with(LiveFacts live) {
    if (volume.claimRef() == null) {
      return this;
    }
    return switch (live.of(Kind.CLAIM, volume.claimRef().claim())) {
      case Fact.NotAsked<Claim> _ -> this;
      case Fact.Present<Claim>(Claim found) -> new VolumeView(volume, new Known.Live(found), past);
      case Fact.Absent<Claim> _ -> new VolumeView(volume, new Known.Gone(), past);
      case Fact.Unknown<Claim>(String why) -> new VolumeView(volume, new Known.Unknown(why), past);
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
