package dev.mooring.testkit;

import dev.mooring.model.Attachment;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimLabels;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.CsiNode;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Lease;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Pod;
import dev.mooring.model.PodMounts;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePopulator;
import dev.mooring.model.VolumeSnapshot;

/**
 * Creates builders of model objects. A test sets only the fields that matter to it: {@code
 * TestObjects.claim("default", "data").request("5Gi").build()}. Each builder documents its
 * defaults.
 */
public final class TestObjects {
  private TestObjects() {}

  public static PartialObjectBuilder metaOf(ObjectKey key) {
    return partialObject(key);
  }

  /** Returns a builder of a provision request. Default: 1Gi for claim ns/c. */
  public static ProvisionRequestBuilder provisionRequest(String volumeName) {
    return new ProvisionRequestBuilder(volumeName);
  }

  /**
   * Returns a builder of a PersistentVolume. Default: 1Gi, ReadWriteOnce, no source, policy Retain,
   * no class.
   */
  public static VolumeBuilder volume(String name) {
    return new VolumeBuilder(ObjectKey.cluster(name));
  }

  public static VolumeBuilder volume(ObjectKey key) {
    return new VolumeBuilder(key);
  }

  public static VolumeBuilder volume(Meta meta) {
    return new VolumeBuilder(meta.key()).meta(meta);
  }

  public static VolumeBuilder like(Volume object) {
    return new VolumeBuilder(object.key()).copyOf(object);
  }

  /**
   * Returns a builder of a PersistentVolumeClaim. Default: 1Gi, ReadWriteOnce, no class, no volume.
   */
  public static ClaimBuilder claim(String namespace, String name) {
    return new ClaimBuilder(ObjectKey.of(namespace, name));
  }

  public static ClaimBuilder claim(ObjectKey key) {
    return new ClaimBuilder(key);
  }

  public static ClaimBuilder claim(Meta meta) {
    return new ClaimBuilder(meta.key()).meta(meta);
  }

  public static ClaimBuilder like(Claim object) {
    return new ClaimBuilder(object.key()).copyOf(object);
  }

  /**
   * Returns a builder of a StorageClass. Default: policy Delete, binding mode Immediate, no
   * expansion.
   */
  public static StorageClassBuilder storageClass(String name) {
    return new StorageClassBuilder(ObjectKey.cluster(name));
  }

  public static StorageClassBuilder storageClass(ObjectKey key) {
    return new StorageClassBuilder(key);
  }

  public static StorageClassBuilder storageClass(Meta meta) {
    return new StorageClassBuilder(meta.key()).meta(meta);
  }

  public static StorageClassBuilder like(StorageClass object) {
    return new StorageClassBuilder(object.key()).copyOf(object);
  }

  /** Returns a builder of a Node. Default: ready, without taints and volumes. */
  public static NodeBuilder node(String name) {
    return new NodeBuilder(ObjectKey.cluster(name));
  }

  public static NodeBuilder node(ObjectKey key) {
    return new NodeBuilder(key);
  }

  public static NodeBuilder node(Meta meta) {
    return new NodeBuilder(meta.key()).meta(meta);
  }

  public static NodeBuilder like(Node object) {
    return new NodeBuilder(object.key()).copyOf(object);
  }

  /** Returns a builder of a Pod. Default: Pending, without node and volumes. */
  public static PodBuilder pod(String namespace, String name) {
    return new PodBuilder(ObjectKey.of(namespace, name));
  }

  public static PodBuilder pod(ObjectKey key) {
    return new PodBuilder(key);
  }

  public static PodBuilder pod(Meta meta) {
    return new PodBuilder(meta.key()).meta(meta);
  }

  public static PodBuilder like(Pod object) {
    return new PodBuilder(object.key()).copyOf(object);
  }

  public static PodMountsBuilder podMounts(String namespace, String name) {
    return new PodMountsBuilder(ObjectKey.of(namespace, name));
  }

  public static PodMountsBuilder podMounts(Meta meta) {
    return new PodMountsBuilder(meta.key()).meta(meta);
  }

  public static PodMountsBuilder like(PodMounts object) {
    return new PodMountsBuilder(object.key()).copyOf(object);
  }

  public static AttachmentBuilder attachment(String name) {
    return new AttachmentBuilder(ObjectKey.cluster(name));
  }

  public static AttachmentBuilder attachment(ObjectKey key) {
    return new AttachmentBuilder(key);
  }

  public static AttachmentBuilder attachment(Meta meta) {
    return new AttachmentBuilder(meta.key()).meta(meta);
  }

  public static AttachmentBuilder like(Attachment object) {
    return new AttachmentBuilder(object.key()).copyOf(object);
  }

  public static CsiNodeBuilder csiNode(String name) {
    return new CsiNodeBuilder(ObjectKey.cluster(name));
  }

  public static CsiNodeBuilder like(CsiNode object) {
    return new CsiNodeBuilder(object.key()).copyOf(object);
  }

  /** Returns a builder of a CSIDriver. Default: attachment required. */
  public static CsiDriverBuilder csiDriver(String name) {
    return new CsiDriverBuilder(ObjectKey.cluster(name));
  }

  public static CsiDriverBuilder csiDriver(ObjectKey key) {
    return new CsiDriverBuilder(key);
  }

  public static CsiDriverBuilder csiDriver(Meta meta) {
    return new CsiDriverBuilder(meta.key()).meta(meta);
  }

  public static CsiDriverBuilder like(CsiDriver object) {
    return new CsiDriverBuilder(object.key()).copyOf(object);
  }

  public static AttributesClassBuilder attributesClass(String name) {
    return new AttributesClassBuilder(ObjectKey.cluster(name));
  }

  public static AttributesClassBuilder attributesClass(ObjectKey key) {
    return new AttributesClassBuilder(key);
  }

  public static AttributesClassBuilder attributesClass(Meta meta) {
    return new AttributesClassBuilder(meta.key()).meta(meta);
  }

  public static AttributesClassBuilder like(AttributesClass object) {
    return new AttributesClassBuilder(object.key()).copyOf(object);
  }

  public static StorageCapacityBuilder storageCapacity(String namespace, String name) {
    return new StorageCapacityBuilder(ObjectKey.of(namespace, name));
  }

  public static StorageCapacityBuilder storageCapacity(Meta meta) {
    return new StorageCapacityBuilder(meta.key()).meta(meta);
  }

  public static StorageCapacityBuilder like(StorageCapacity object) {
    return new StorageCapacityBuilder(object.key()).copyOf(object);
  }

  public static LeaseBuilder lease(String namespace, String name) {
    return new LeaseBuilder(ObjectKey.of(namespace, name));
  }

  public static LeaseBuilder lease(ObjectKey key) {
    return new LeaseBuilder(key);
  }

  public static LeaseBuilder lease(Meta meta) {
    return new LeaseBuilder(meta.key()).meta(meta);
  }

  public static LeaseBuilder like(Lease object) {
    return new LeaseBuilder(object.key()).copyOf(object);
  }

  public static PartialObjectBuilder partialObject(String namespace, String name) {
    return new PartialObjectBuilder(ObjectKey.of(namespace, name));
  }

  public static PartialObjectBuilder partialObject(ObjectKey key) {
    return new PartialObjectBuilder(key);
  }

  public static PartialObjectBuilder like(PartialObject object) {
    return new PartialObjectBuilder(object.key()).copyOf(object);
  }

  public static VolumeSnapshotBuilder volumeSnapshot(String namespace, String name) {
    return new VolumeSnapshotBuilder(ObjectKey.of(namespace, name));
  }

  public static VolumeSnapshotBuilder volumeSnapshot(Meta meta) {
    return new VolumeSnapshotBuilder(meta.key()).meta(meta);
  }

  public static VolumeSnapshotBuilder like(VolumeSnapshot object) {
    return new VolumeSnapshotBuilder(object.key()).copyOf(object);
  }

  /** Returns a builder of a VolumeSnapshotContent. Default: no source, policy Delete. */
  public static SnapshotContentBuilder snapshotContent(String name) {
    return new SnapshotContentBuilder(ObjectKey.cluster(name));
  }

  public static SnapshotContentBuilder snapshotContent(Meta meta) {
    return new SnapshotContentBuilder(meta.key()).meta(meta);
  }

  public static SnapshotContentBuilder like(SnapshotContent object) {
    return new SnapshotContentBuilder(object.key()).copyOf(object);
  }

  public static SnapshotClassBuilder snapshotClass(String name) {
    return new SnapshotClassBuilder(ObjectKey.cluster(name));
  }

  public static SnapshotClassBuilder snapshotClass(ObjectKey key) {
    return new SnapshotClassBuilder(key);
  }

  public static SnapshotClassBuilder snapshotClass(Meta meta) {
    return new SnapshotClassBuilder(meta.key()).meta(meta);
  }

  public static SnapshotClassBuilder like(SnapshotClass object) {
    return new SnapshotClassBuilder(object.key()).copyOf(object);
  }

  public static ReferenceGrantBuilder referenceGrant(String namespace, String name) {
    return new ReferenceGrantBuilder(ObjectKey.of(namespace, name));
  }

  public static ReferenceGrantBuilder like(ReferenceGrant object) {
    return new ReferenceGrantBuilder(object.key()).copyOf(object);
  }

  /** Returns a VolumePopulator, which registers a kind of data sources. */
  public static VolumePopulatorBuilder volumePopulator(String name) {
    return new VolumePopulatorBuilder(ObjectKey.cluster(name));
  }

  public static VolumePopulatorBuilder like(VolumePopulator object) {
    return new VolumePopulatorBuilder(object.key()).copyOf(object);
  }

  public static ClaimLabelsBuilder claimLabels(String namespace, String name) {
    return new ClaimLabelsBuilder(ObjectKey.of(namespace, name));
  }

  public static ClaimLabelsBuilder like(ClaimLabels object) {
    return new ClaimLabelsBuilder(object.key()).copyOf(object);
  }

  public static GroupSnapshotBuilder groupSnapshot(String namespace, String name) {
    return new GroupSnapshotBuilder(ObjectKey.of(namespace, name));
  }

  public static GroupSnapshotBuilder like(GroupSnapshot object) {
    return new GroupSnapshotBuilder(object.key()).copyOf(object);
  }

  public static GroupSnapshotContentBuilder groupSnapshotContent(String name) {
    return new GroupSnapshotContentBuilder(ObjectKey.cluster(name));
  }

  public static GroupSnapshotContentBuilder like(GroupSnapshotContent object) {
    return new GroupSnapshotContentBuilder(object.key()).copyOf(object);
  }

  public static GroupSnapshotClassBuilder groupSnapshotClass(String name) {
    return new GroupSnapshotClassBuilder(ObjectKey.cluster(name));
  }

  public static GroupSnapshotClassBuilder like(GroupSnapshotClass object) {
    return new GroupSnapshotClassBuilder(object.key()).copyOf(object);
  }
}
