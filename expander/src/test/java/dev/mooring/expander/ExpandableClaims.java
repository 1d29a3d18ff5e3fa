package dev.mooring.expander;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Claims that may request more than their capacity, with their volumes. */
public final class ExpandableClaims {
  public static final ObjectKey KEY = ObjectKey.of("ns", "c");
  public static final VolumeSource FLEX =
      new VolumeSource("flexVolume", Map.of("driver", "example.com/flex"));
  public static final String MARK = "volume.alpha.kubernetes.io/pre-resize-capacity";

  private ExpandableClaims() {}

  public static Claim claim(String requested, String capacity) {
    return claim(requested, capacity, null, ResizeState.NONE);
  }

  public static Claim claim(
      String requested, String capacity, @Nullable String allocated, ResizeState state) {
    return TestObjects.claim(KEY)
        .uid("u")
        .created(1)
        .request(requested)
        .storageClass("")
        .volumeName("v")
        .phase(ClaimPhase.BOUND)
        .capacity(capacity)
        .resize(allocated, state)
        .build();
  }

  /**
   * Returns a volume of the claim.
   *
   * @param mark value of the pre-resize annotation; "" for none
   */
  public static Volume volume(VolumeSource source, String size, VolumeMode mode, String mark) {
    return volume(source, size, mode, mark, "u");
  }

  public static Volume volume(
      VolumeSource source, String size, VolumeMode mode, String mark, String claimUid) {
    return TestObjects.volume(ObjectKey.cluster("v"))
        .uid("v")
        .created(1)
        .annotations(mark.isEmpty() ? Map.of() : Map.of(MARK, mark))
        .storage(size)
        .source(source)
        .claimRef(KEY, claimUid)
        .reclaimPolicy(ReclaimPolicy.DELETE)
        .volumeMode(mode)
        .phase(VolumePhase.BOUND)
        .build();
  }
}
