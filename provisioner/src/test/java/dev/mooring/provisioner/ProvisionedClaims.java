package dev.mooring.provisioner;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.VolumeService;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;

/** Sample claims, their class, and volumes that were provisioned for them. */
public final class ProvisionedClaims {
  public static final ObjectKey CLAIM = ObjectKey.of("ns", "c");

  private ProvisionedClaims() {}

  public static Claim claim(Map<String, String> annotations, String volume) {
    return claim(annotations, volume, VolumeMode.FILESYSTEM);
  }

  public static Claim claim(Map<String, String> annotations, String volume, VolumeMode mode) {
    return claim(annotations, volume, mode, 0, List.of());
  }

  /** Returns a claim with the provisioning finalizer. */
  public static Claim claimWithNote(Map<String, String> annotations) {
    return claim(
        annotations, "", VolumeMode.FILESYSTEM, 0, List.of("other", VolumeService.BEING_MADE));
  }

  /** Returns the claim, bound. */
  public static Claim bound() {
    return boundTo("pvc-u");
  }

  /** Returns the claim, bound to that volume. */
  public static Claim boundTo(String volume) {
    return TestObjects.like(claimWithNote(Map.of()))
        .volumeName(volume)
        .phase(ClaimPhase.BOUND)
        .build();
  }

  /** Returns the claim during deletion. */
  public static Claim deleted(boolean hasNote) {
    return deleted(hasNote, Map.of());
  }

  public static Claim deleted(boolean hasNote, Map<String, String> annotations) {
    return claim(
        annotations,
        "",
        VolumeMode.FILESYSTEM,
        2,
        hasNote ? List.of("other", VolumeService.BEING_MADE) : List.of("other"));
  }

  private static Claim claim(
      Map<String, String> annotations,
      String volume,
      VolumeMode mode,
      long deleted,
      List<String> finalizers) {
    return TestObjects.claim(CLAIM)
        .uid("u")
        .created(1)
        .deleted(deleted)
        .annotations(annotations)
        .finalizers(finalizers)
        .storageClass("fast")
        .volumeName(volume)
        .volumeMode(mode)
        .phase(ClaimPhase.PENDING)
        .build();
  }

  public static StorageClass storageClass(String provisioner, boolean waits) {
    return storageClass(provisioner, waits, "s");
  }

  public static StorageClass storageClass(String provisioner, boolean waits, String uid) {
    return TestObjects.storageClass(ObjectKey.cluster("fast"))
        .uid(uid)
        .created(1)
        .provisioner(provisioner)
        .mountOptions(List.of("noatime"))
        .binding(
            waits ? StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER : StorageClass.Binding.IMMEDIATE)
        .build();
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
    return TestObjects.volume(ObjectKey.cluster("v"))
        .uid("v")
        .created(1)
        .deleted(deleting ? 2 : 0)
        .annotations(annotations)
        .finalizers(finalizers)
        .capacity(Map.of())
        .source(source)
        .claimRef(CLAIM, "u")
        .reclaimPolicy(policy)
        .storageClass("fast")
        .phase(phase)
        .build();
  }

  /** Returns a volume of the claim, created at that second. */
  public static Volume claimedVolume(
      String name, long created, VolumePhase phase, Map<String, String> annotations) {
    return TestObjects.like(
            volume(ReclaimPolicy.DELETE, phase, List.of(VolumeRules.FINALIZER), false))
        .key(ObjectKey.cluster(name))
        .created(created)
        .annotations(annotations)
        .build();
  }

  /** Returns a copy with another name. */
  public static Volume volumeOf(String name, Volume original) {
    return TestObjects.like(twinOf(name, original)).source(VolumeSource.csi("ours", name)).build();
  }

  /** Returns another volume object for the same storage. */
  public static Volume twinOf(String name, Volume original) {
    return TestObjects.like(original)
        .key(ObjectKey.cluster(name))
        .uid(name)
        .created(1)
        .deleted(0)
        .build();
  }
}
