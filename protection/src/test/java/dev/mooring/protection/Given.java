package dev.mooring.protection;

import dev.mooring.model.AccessModes;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import java.util.List;
import java.util.Map;

/** Objects for tests. */
public final class Given {
  private Given() {}

  private static Meta meta(ObjectKey key, boolean deleting, List<String> finalizers, Uid owner) {
    return new Meta(
        key,
        Uid.of("uid-" + key.name()),
        1,
        1,
        deleting ? 2 : 0,
        Map.of(),
        Map.of(),
        finalizers,
        owner);
  }

  /** A claim "c" in "ns". */
  public static Claim claim(boolean deleting, String... finalizers) {
    return claim("c", deleting, Uid.NONE, new String[] {"", "", ""}, finalizers);
  }

  /** A claim in "ns" with an owner and its classes: wanted, current, target. */
  public static Claim claim(
      String name, boolean deleting, Uid owner, String[] classes, String... finalizers) {
    return new Claim(
        meta(ObjectKey.of("ns", name), deleting, List.of(finalizers), owner),
        AccessModes.of("ReadWriteOnce"),
        Quantity.of("1Gi"),
        "",
        "",
        VolumeMode.FILESYSTEM,
        null,
        classes[0],
        false,
        new Claim.Status(
            ClaimPhase.PENDING,
            List.of(),
            Map.of(),
            classes[1],
            new Claim.Modification(classes[2], ""),
            Claim.Resize.NONE,
            List.of()));
  }

  /** The claim with these conditions. */
  public static Claim saying(Claim claim, Claim.Condition... conditions) {
    Claim.Status status = claim.status();
    return new Claim(
        claim.meta(),
        claim.accessModes(),
        claim.request(),
        claim.storageClass(),
        claim.volumeName(),
        claim.volumeMode(),
        claim.selector(),
        claim.attributesClass(),
        claim.hasDataSource(),
        new Claim.Status(
            status.phase(),
            status.accessModes(),
            status.capacity(),
            status.attributesClass(),
            status.modification(),
            status.resize(),
            List.of(conditions)));
  }

  /** A pod "p" in "ns" that names these claims. */
  public static Pod pod(String node, Pod.Phase phase, String... claims) {
    return new Pod(
        meta(ObjectKey.of("ns", "p"), false, List.of(), Uid.NONE),
        node,
        List.of(claims),
        List.of(),
        phase,
        false,
        false);
  }

  /** A pod "p" in "ns" with generic ephemeral volumes. */
  public static Pod ephemeral(
      boolean deleting, boolean shutDown, Pod.Phase phase, String... names) {
    return new Pod(
        meta(ObjectKey.of("ns", "p"), deleting, List.of(), Uid.NONE),
        "node",
        java.util.Arrays.stream(names).map(n -> "p-" + n).toList(),
        List.of(names),
        phase,
        false,
        shutDown);
  }

  /** A volume "v". */
  public static Volume volume(
      VolumePhase phase, boolean deleting, String attributesClass, String... finalizers) {
    return new Volume(
        meta(ObjectKey.cluster("v"), deleting, List.of(finalizers), Uid.NONE),
        Map.of("storage", Quantity.of("1Gi")),
        VolumeSource.nfs("s", "/"),
        AccessModes.of("ReadWriteOnce"),
        null,
        ReclaimPolicy.RETAIN,
        "",
        VolumeMode.FILESYSTEM,
        attributesClass,
        new Volume.Status(phase, "", ""));
  }

  /** A VolumeAttributesClass "gold". */
  public static AttributesClass attributesClass(boolean deleting, String... finalizers) {
    return new AttributesClass(
        meta(ObjectKey.cluster("gold"), deleting, List.of(finalizers), Uid.NONE), "d", Map.of());
  }
}
