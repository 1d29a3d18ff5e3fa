package dev.mooring.storage;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Claim, its class and the volume provisioned for it. */
public final class ProvisionedClaim {
  /** Claim ns/c with uid u and class fast. */
  public static final Claim CLAIM =
      new Claim(
          meta(ObjectKey.of("ns", "c"), "u"),
          AccessModes.of("ReadWriteMany"),
          Quantity.of("1Gi"),
          "fast",
          "",
          VolumeMode.FILESYSTEM,
          null,
          "",
          false,
          null,
          new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""));

  public static final StorageClass FAST =
      new StorageClass(
          meta(ObjectKey.cluster("fast"), "s"),
          "disks",
          Map.of("tier", "one"),
          ReclaimPolicy.DELETE,
          List.of("noatime"),
          StorageClass.Binding.IMMEDIATE,
          false,
          List.of());

  private ProvisionedClaim() {}

  private static Meta meta(ObjectKey key, String uid) {
    return TestObjects.metaOf(key).uid(uid).version(7).created(1).meta();
  }

  /** Returns volume pvc-u with a claimRef to the claim. */
  public static Volume volume(String claim, String uid) {
    return volume(new ClaimRef(ObjectKey.of("ns", claim), Uid.of(uid)));
  }

  /** Returns volume pvc-u with the claimRef. */
  public static Volume volume(@Nullable ClaimRef ref) {
    return new Volume(
        meta(ObjectKey.cluster("pvc-u"), "v"),
        Map.of("storage", Quantity.of("1Gi")),
        VolumeSource.hostPath("/x"),
        AccessModes.of("ReadWriteOnce"),
        ref,
        ReclaimPolicy.DELETE,
        "fast",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(VolumePhase.AVAILABLE, "", ""));
  }
}
