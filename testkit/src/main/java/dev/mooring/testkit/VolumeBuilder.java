package dev.mooring.testkit;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a PersistentVolume. Default: 1Gi, ReadWriteOnce, no source, policy Retain, no class.
 */
public final class VolumeBuilder extends ObjectBuilder<Volume, VolumeBuilder> {
  private Map<String, Quantity> capacity = Map.of("storage", Quantity.of("1Gi"));
  private VolumeSource source = VolumeSource.NONE;
  private AccessModes accessModes = AccessModes.of("ReadWriteOnce");
  private @Nullable ClaimRef claimRef = null;
  private ReclaimPolicy reclaimPolicy = ReclaimPolicy.RETAIN;
  private String storageClass = "";
  private VolumeMode volumeMode = VolumeMode.FILESYSTEM;
  private String attributesClass = "";
  private Volume.Status status = new Volume.Status(VolumePhase.UNSET, "", "");
  private NodeAffinity nodeAffinity = NodeAffinity.NONE;

  VolumeBuilder(ObjectKey key) {
    super(key);
  }

  public VolumeBuilder capacity(Map<String, Quantity> value) {
    this.capacity = value;
    return this;
  }

  public VolumeBuilder source(VolumeSource value) {
    this.source = value;
    return this;
  }

  public VolumeBuilder accessModes(AccessModes value) {
    this.accessModes = value;
    return this;
  }

  public VolumeBuilder claimRef(@Nullable ClaimRef value) {
    this.claimRef = value;
    return this;
  }

  public VolumeBuilder reclaimPolicy(ReclaimPolicy value) {
    this.reclaimPolicy = value;
    return this;
  }

  public VolumeBuilder storageClass(String value) {
    this.storageClass = value;
    return this;
  }

  public VolumeBuilder volumeMode(VolumeMode value) {
    this.volumeMode = value;
    return this;
  }

  public VolumeBuilder attributesClass(String value) {
    this.attributesClass = value;
    return this;
  }

  public VolumeBuilder status(Volume.Status value) {
    this.status = value;
    return this;
  }

  public VolumeBuilder nodeAffinity(NodeAffinity value) {
    this.nodeAffinity = value;
    return this;
  }

  public VolumeBuilder storage(String quantity) {
    return capacity(Map.of("storage", Quantity.of(quantity)));
  }

  public VolumeBuilder accessModes(String... modes) {
    return accessModes(AccessModes.of(modes));
  }

  public VolumeBuilder claimRef(Claim claim) {
    return claimRef(new ClaimRef(claim.key(), claim.meta().uid()));
  }

  /**
   * @param uid "" to leave the uid open
   */
  public VolumeBuilder claimRef(ObjectKey claim, String uid) {
    return claimRef(new ClaimRef(claim, Uid.of(uid)));
  }

  public VolumeBuilder noClaimRef() {
    claimRef = null;
    return this;
  }

  public VolumeBuilder phase(VolumePhase phase) {
    return status(new Volume.Status(phase, "", ""));
  }

  @Override
  public Volume build() {
    return new Volume(
        meta(),
        capacity,
        source,
        accessModes,
        claimRef,
        reclaimPolicy,
        storageClass,
        volumeMode,
        attributesClass,
        status,
        nodeAffinity);
  }
}
