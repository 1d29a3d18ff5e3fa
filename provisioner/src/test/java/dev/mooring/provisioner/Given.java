package dev.mooring.provisioner;

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
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.VolumeService;
import java.util.List;
import java.util.Map;

/** Claims, classes and volumes. */
public final class Given {
  public static final ObjectKey CLAIM = ObjectKey.of("ns", "c");

  private Given() {}

  public static Claim claim(Map<String, String> annotations, String volume) {
    return claim(annotations, volume, VolumeMode.FILESYSTEM);
  }

  public static Claim claim(Map<String, String> annotations, String volume, VolumeMode mode) {
    return claim(annotations, volume, mode, 0, List.of());
  }

  /** One that says that a volume may be being made for it. */
  public static Claim noted(Map<String, String> annotations) {
    return claim(
        annotations, "", VolumeMode.FILESYSTEM, 0, List.of("other", VolumeService.BEING_MADE));
  }

  /** The same, bound. */
  public static Claim bound() {
    Claim claim = noted(Map.of());
    return new Claim(
        claim.meta(),
        claim.accessModes(),
        claim.request(),
        claim.storageClass(),
        "pvc-u",
        claim.volumeMode(),
        null,
        "",
        false,
        new Claim.Status(ClaimPhase.BOUND, List.of(), Map.of(), ""));
  }

  /** One that is being deleted. */
  public static Claim deleted(boolean noted) {
    return deleted(noted, Map.of());
  }

  /** The same, with annotations. */
  public static Claim deleted(boolean noted, Map<String, String> annotations) {
    return claim(
        annotations,
        "",
        VolumeMode.FILESYSTEM,
        2,
        noted ? List.of("other", VolumeService.BEING_MADE) : List.of("other"));
  }

  private static Claim claim(
      Map<String, String> annotations,
      String volume,
      VolumeMode mode,
      long deleted,
      List<String> finalizers) {
    return new Claim(
        new Meta(CLAIM, Uid.of("u"), 1, 1, deleted, Map.of(), annotations, finalizers),
        AccessModes.of("ReadWriteOnce"),
        Quantity.of("1Gi"),
        "fast",
        volume,
        mode,
        null,
        "",
        false,
        new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""));
  }

  public static StorageClass storageClass(String provisioner, boolean waits) {
    return storageClass(provisioner, waits, "s");
  }

  public static StorageClass storageClass(String provisioner, boolean waits, String uid) {
    return new StorageClass(
        new Meta(ObjectKey.cluster("fast"), Uid.of(uid), 1, 1, 0, Map.of(), Map.of(), List.of()),
        provisioner,
        Map.of(),
        ReclaimPolicy.DELETE,
        List.of("noatime"),
        waits ? StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER : StorageClass.Binding.IMMEDIATE,
        false,
        List.of());
  }

  public static Volume volume(VolumeSource source, Map<String, String> annotations) {
    return volume(source, annotations, ReclaimPolicy.DELETE, VolumePhase.BOUND, List.of(), false);
  }

  public static Volume volume(
      ReclaimPolicy policy, VolumePhase phase, List<String> finalizers, boolean deleting) {
    return volume(VolumeSource.csi("ours", "h"), Map.of(), policy, phase, finalizers, deleting);
  }

  public static Volume volume(
      VolumeSource source,
      Map<String, String> annotations,
      ReclaimPolicy policy,
      VolumePhase phase,
      List<String> finalizers,
      boolean deleting) {
    return new Volume(
        new Meta(
            ObjectKey.cluster("v"),
            Uid.of("v"),
            1,
            1,
            deleting ? 2 : 0,
            Map.of(),
            annotations,
            finalizers),
        Map.of(),
        source,
        AccessModes.of("ReadWriteOnce"),
        new ClaimRef(CLAIM, Uid.of("u")),
        policy,
        "fast",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(phase, "", ""));
  }

  /** One of that name and with these annotations, which the claim has, made at that second. */
  public static Volume had(
      String name, long created, VolumePhase phase, Map<String, String> annotations) {
    Volume like = volume(ReclaimPolicy.DELETE, phase, List.of(VolumeRules.FINALIZER), false);
    return new Volume(
        new Meta(
            ObjectKey.cluster(name),
            Uid.of("v"),
            1,
            created,
            0,
            Map.of(),
            annotations,
            like.finalizers()),
        like.capacity(),
        like.source(),
        like.accessModes(),
        like.claimRef(),
        like.reclaimPolicy(),
        like.storageClass(),
        like.volumeMode(),
        like.attributesClass(),
        like.status());
  }

  /** The same volume under another name, as another object. */
  public static Volume volumeOf(String name, Volume like) {
    Meta meta = like.meta();
    return new Volume(
        new Meta(
            ObjectKey.cluster(name),
            Uid.of(name),
            1,
            1,
            0,
            meta.labels(),
            meta.annotations(),
            meta.finalizers()),
        like.capacity(),
        like.source(),
        like.accessModes(),
        like.claimRef(),
        like.reclaimPolicy(),
        like.storageClass(),
        like.volumeMode(),
        like.attributesClass(),
        like.status());
  }
}
