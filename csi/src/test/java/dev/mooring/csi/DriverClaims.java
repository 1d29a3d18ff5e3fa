package dev.mooring.csi;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Meta;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.ClaimBuilder;
import dev.mooring.testkit.TestObjects;
import org.jspecify.annotations.Nullable;

/** Bound claims and volumes of a driver. */
public final class DriverClaims {
  private DriverClaims() {}

  /** Returns a builder of a claim with 1Gi requested and provided, bound to volume "v". */
  public static ClaimBuilder claim() {
    return TestObjects.claim("ns", "c")
        .uid("u")
        .storageClass("fast")
        .volumeName("v")
        .phase(ClaimPhase.BOUND)
        .capacity("1Gi");
  }

  /** Returns a claim with the given resize status. */
  public static Claim growing(
      String requested, String current, @Nullable String allocated, ResizeState state) {
    return claim().request(requested).capacity(current).resize(allocated, state).build();
  }

  public static Volume volume(Meta meta, VolumeSource source) {
    return TestObjects.volume(meta)
        .source(source)
        .reclaimPolicy(ReclaimPolicy.DELETE)
        .storageClass("fast")
        .phase(VolumePhase.BOUND)
        .build();
  }

  public static Condition condition(String type) {
    return new Condition(type, "True", "", "", 0, 1);
  }
}
