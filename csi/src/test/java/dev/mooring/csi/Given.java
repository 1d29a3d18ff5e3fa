package dev.mooring.csi;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Meta;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Claims. */
public final class Given {
  private Given() {}

  public static Claim claim(Map<String, String> annotations) {
    return claim("1Gi", "", annotations, status("1Gi", null, ResizeState.NONE, List.of()));
  }

  /** One that grows. */
  public static Claim growing(
      String asked, String given, @Nullable String allocated, ResizeState state) {
    return claim(asked, "", Map.of(), status(given, allocated, state, List.of()));
  }

  public static Claim.Status status(
      String given, @Nullable String allocated, ResizeState state, List<Condition> conditions) {
    return new Claim.Status(
        ClaimPhase.BOUND,
        List.of(),
        Map.of("storage", Quantity.of(given)),
        "",
        Claim.Modification.NONE,
        new Claim.Resize(allocated == null ? null : Quantity.of(allocated), state),
        conditions);
  }

  public static Claim claim(
      String asked, String attributesClass, Map<String, String> annotations, Claim.Status status) {
    return Builders.claim("ns", "c")
        .uid("u")
        .annotations(annotations)
        .request(asked)
        .storageClass("fast")
        .volumeName("v")
        .attributesClass(attributesClass)
        .status(status)
        .build();
  }

  /** A bound volume. */
  public static Volume volume(Meta meta, VolumeSource source) {
    return Builders.volume(meta)
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
