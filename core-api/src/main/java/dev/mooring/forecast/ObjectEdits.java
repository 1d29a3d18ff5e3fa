package dev.mooring.forecast;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.Pod;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Copies of objects with one change. */
public final class ObjectEdits {
  private ObjectEdits() {}

  public static Meta withAnnotations(Meta meta, Map<String, String> annotations) {
    return new Meta(
        meta.key(),
        meta.uid(),
        meta.resourceVersion(),
        meta.created(),
        meta.deleted(),
        meta.labels(),
        Map.copyOf(annotations),
        meta.finalizers(),
        meta.controller());
  }

  public static Meta withAnnotation(Meta meta, String name, String value) {
    Map<String, String> annotations = new HashMap<>(meta.annotations());
    annotations.put(name, value);
    return withAnnotations(meta, annotations);
  }

  public static Meta asCreated(Meta meta, Uid uid, long created) {
    return new Meta(
        meta.key(),
        uid,
        meta.resourceVersion(),
        created,
        0,
        meta.labels(),
        meta.annotations(),
        meta.finalizers(),
        meta.controller());
  }

  public static Meta asDeleted(Meta meta, long deleted) {
    return new Meta(
        meta.key(),
        meta.uid(),
        meta.resourceVersion(),
        meta.created(),
        deleted,
        meta.labels(),
        meta.annotations(),
        meta.finalizers(),
        meta.controller());
  }

  public static Volume withMeta(Volume volume, Meta meta) {
    return copy(volume, meta, volume.claimRef(), volume.reclaimPolicy(), volume.status());
  }

  public static Volume withClaimRef(Volume volume, @Nullable ClaimRef ref) {
    return copy(volume, volume.meta(), ref, volume.reclaimPolicy(), volume.status());
  }

  public static Volume withPolicy(Volume volume, ReclaimPolicy policy) {
    return copy(volume, volume.meta(), volume.claimRef(), policy, volume.status());
  }

  public static Volume withPhase(Volume volume, VolumePhase phase) {
    return copy(
        volume,
        volume.meta(),
        volume.claimRef(),
        volume.reclaimPolicy(),
        new Volume.Status(phase, "", volume.status().reason()));
  }

  private static Volume copy(
      Volume volume,
      Meta meta,
      @Nullable ClaimRef ref,
      ReclaimPolicy policy,
      Volume.Status status) {
    return new Volume(
        meta,
        volume.capacity(),
        volume.source(),
        volume.accessModes(),
        ref,
        policy,
        volume.storageClass(),
        volume.volumeMode(),
        volume.attributesClass(),
        status,
        volume.nodeAffinity());
  }

  public static Claim withPhase(Claim claim, ClaimPhase phase) {
    return copy(claim, claim.meta(), claim.volumeName(), phase);
  }

  public static Claim withVolume(Claim claim, String volume) {
    return copy(claim, claim.meta(), volume, claim.phase());
  }

  private static Claim copy(Claim claim, Meta meta, String volume, ClaimPhase phase) {
    Claim.Status status = claim.status();
    return new Claim(
        meta,
        claim.accessModes(),
        claim.request(),
        claim.storageClass(),
        volume,
        claim.volumeMode(),
        claim.selector(),
        claim.attributesClass(),
        claim.hasDataSource(),
        claim.dataSourceRef(),
        new Claim.Status(
            phase,
            status.accessModes(),
            status.capacity(),
            status.attributesClass(),
            status.modification(),
            status.resize(),
            status.conditions(),
            status.healthConditions()));
  }

  public static Pod withMeta(Pod pod, Meta meta) {
    return copy(pod, meta, pod.nodeName());
  }

  public static Pod onNode(Pod pod, Meta meta, String node) {
    return copy(pod, meta, node);
  }

  private static Pod copy(Pod pod, Meta meta, String node) {
    return new Pod(
        meta,
        node,
        pod.claims(),
        pod.ephemeral(),
        pod.inline(),
        node.isEmpty() ? Pod.Phase.PENDING : pod.phase(),
        pod.containersStopped(),
        pod.shutDown());
  }

  public static StorageClass withPolicy(
      StorageClass storageClass, Meta meta, ReclaimPolicy policy) {
    return new StorageClass(
        meta,
        storageClass.provisioner(),
        storageClass.parameters(),
        policy,
        storageClass.mountOptions(),
        storageClass.binding(),
        storageClass.allowsExpansion(),
        storageClass.allowedTopologies());
  }
}
