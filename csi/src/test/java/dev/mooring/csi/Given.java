package dev.mooring.csi;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
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
    return new Claim(
        new Meta(ObjectKey.of("ns", "c"), Uid.of("u"), 1, 1, 0, Map.of(), annotations, List.of()),
        AccessModes.of("ReadWriteOnce"),
        Quantity.of(asked),
        "fast",
        "v",
        VolumeMode.FILESYSTEM,
        null,
        attributesClass,
        false,
        status);
  }

  /** A bound volume. */
  public static Volume volume(Meta meta, VolumeSource source) {
    return new Volume(
        meta,
        Map.of("storage", Quantity.of("1Gi")),
        source,
        AccessModes.of("ReadWriteOnce"),
        null,
        ReclaimPolicy.DELETE,
        "fast",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(VolumePhase.BOUND, "", ""));
  }

  public static Condition condition(String type) {
    return new Condition(type, "True", "", "", 0, 1);
  }
}
