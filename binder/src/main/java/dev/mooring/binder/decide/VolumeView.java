package dev.mooring.binder.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;

/** Volume and the claim that its claimRef names. */
public record VolumeView(Volume volume, KnownClaim claim, VolumeHistory history) {
  /**
   * Memory of this process about a volume and its claim.
   *
   * @param claimHadNoVolume whether the claim was deleted without ever having had a volume
   * @param wasKept whether this version of the volume was kept after the API server had confirmed
   *     that its claim is gone
   */
  public record VolumeHistory(boolean claimHadNoVolume, boolean wasKept) {
    public static final VolumeHistory UNKNOWN = new VolumeHistory(false, false);
  }

  public VolumeView(Volume volume, KnownClaim claim) {
    this(volume, claim, VolumeHistory.UNKNOWN);
  }

  public VolumeView withHistory(VolumeHistory remembered) {
    return new VolumeView(volume, claim, remembered);
  }

  public VolumeView with(LiveFacts live) {
    if (volume.claimRef() == null) {
      return this;
    }
    return switch (live.of(Kind.CLAIM, volume.claimRef().claim())) {
      case Fact.NotAsked<Claim> _ -> this;
      case Fact.Present<Claim>(Claim claim) ->
          new VolumeView(volume, new KnownClaim.Live(claim), history);
      case Fact.Absent<Claim> _ -> new VolumeView(volume, new KnownClaim.Gone(), history);
      case Fact.Unknown<Claim>(String message) ->
          new VolumeView(volume, new KnownClaim.Unknown(message), history);
    };
  }

  /** Knowledge about the claim. A claim that is not cached is not necessarily gone. */
  public sealed interface KnownClaim {
    record Cached(Claim claim) implements KnownClaim {}

    record NotCached() implements KnownClaim {}

    record Live(Claim claim) implements KnownClaim {}

    record Gone() implements KnownClaim {}

    record Unknown(String message) implements KnownClaim {}
  }
}
