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
import dev.mooring.model.VolumeSnapshot;

/**
 * Builds objects of the model for tests, which name what they care about and nothing else: {@code
 * Builders.claim("default", "data").request("5Gi").build()}. What is not said is what a server
 * would have put there, or stands at the builder's class.
 */
public final class Builders {
  private Builders() {}

  /** The metadata alone: to be ended with {@code meta()}. */
  public static PartialObjectBuilder metaOf(ObjectKey key) {
    return partialObject(key);
  }

  /** What a plugin is asked to make: 1Gi for claim ns/c, unless said otherwise. */
  public static ProvisionRequestBuilder provisionRequest(String volumeName) {
    return new ProvisionRequestBuilder(volumeName);
  }

  /**
   * A PersistentVolume: 1Gi, ReadWriteOnce, no source, Retain, without a class, unless said
   * otherwise.
   */
  public static VolumeBuilder volume(String name) {
    return new VolumeBuilder(ObjectKey.cluster(name));
  }

  /**
   * A PersistentVolume: 1Gi, ReadWriteOnce, no source, Retain, without a class, unless said
   * otherwise.
   */
  public static VolumeBuilder volume(ObjectKey key) {
    return new VolumeBuilder(key);
  }

  /** One with these metadata. */
  public static VolumeBuilder volume(Meta meta) {
    return new VolumeBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static VolumeBuilder like(Volume object) {
    return new VolumeBuilder(object);
  }

  /**
   * A PersistentVolumeClaim: asks for 1Gi, ReadWriteOnce, names no class and no volume, unless said
   * otherwise.
   */
  public static ClaimBuilder claim(String namespace, String name) {
    return new ClaimBuilder(ObjectKey.of(namespace, name));
  }

  /**
   * A PersistentVolumeClaim: asks for 1Gi, ReadWriteOnce, names no class and no volume, unless said
   * otherwise.
   */
  public static ClaimBuilder claim(ObjectKey key) {
    return new ClaimBuilder(key);
  }

  /** One with these metadata. */
  public static ClaimBuilder claim(Meta meta) {
    return new ClaimBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static ClaimBuilder like(Claim object) {
    return new ClaimBuilder(object);
  }

  /** A StorageClass: Delete, binds at once, does not expand, unless said otherwise. */
  public static StorageClassBuilder storageClass(String name) {
    return new StorageClassBuilder(ObjectKey.cluster(name));
  }

  /** A StorageClass: Delete, binds at once, does not expand, unless said otherwise. */
  public static StorageClassBuilder storageClass(ObjectKey key) {
    return new StorageClassBuilder(key);
  }

  /** One with these metadata. */
  public static StorageClassBuilder storageClass(Meta meta) {
    return new StorageClassBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static StorageClassBuilder like(StorageClass object) {
    return new StorageClassBuilder(object);
  }

  /** A Node: ready, without taints and volumes, unless said otherwise. */
  public static NodeBuilder node(String name) {
    return new NodeBuilder(ObjectKey.cluster(name));
  }

  /** A Node: ready, without taints and volumes, unless said otherwise. */
  public static NodeBuilder node(ObjectKey key) {
    return new NodeBuilder(key);
  }

  /** One with these metadata. */
  public static NodeBuilder node(Meta meta) {
    return new NodeBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static NodeBuilder like(Node object) {
    return new NodeBuilder(object);
  }

  /** A Pod: nowhere yet, without volumes, pending, unless said otherwise. */
  public static PodBuilder pod(String namespace, String name) {
    return new PodBuilder(ObjectKey.of(namespace, name));
  }

  /** A Pod: nowhere yet, without volumes, pending, unless said otherwise. */
  public static PodBuilder pod(ObjectKey key) {
    return new PodBuilder(key);
  }

  /** One with these metadata. */
  public static PodBuilder pod(Meta meta) {
    return new PodBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static PodBuilder like(Pod object) {
    return new PodBuilder(object);
  }

  /** What a Pod mounts, and with which labels: nothing, unless said otherwise. */
  public static PodMountsBuilder podMounts(String namespace, String name) {
    return new PodMountsBuilder(ObjectKey.of(namespace, name));
  }

  /** One with these metadata. */
  public static PodMountsBuilder podMounts(Meta meta) {
    return new PodMountsBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static PodMountsBuilder like(PodMounts object) {
    return new PodMountsBuilder(object);
  }

  /** A VolumeAttachment: not attached yet, unless said otherwise. */
  public static AttachmentBuilder attachment(String name) {
    return new AttachmentBuilder(ObjectKey.cluster(name));
  }

  /** A VolumeAttachment: not attached yet, unless said otherwise. */
  public static AttachmentBuilder attachment(ObjectKey key) {
    return new AttachmentBuilder(key);
  }

  /** One with these metadata. */
  public static AttachmentBuilder attachment(Meta meta) {
    return new AttachmentBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static AttachmentBuilder like(Attachment object) {
    return new AttachmentBuilder(object);
  }

  /** A CSINode: without drivers, unless said otherwise. */
  public static CsiNodeBuilder csiNode(String name) {
    return new CsiNodeBuilder(ObjectKey.cluster(name));
  }

  /** One like that. */
  public static CsiNodeBuilder like(CsiNode object) {
    return new CsiNodeBuilder(object);
  }

  /** A CSIDriver: has to attach, unless said otherwise. */
  public static CsiDriverBuilder csiDriver(String name) {
    return new CsiDriverBuilder(ObjectKey.cluster(name));
  }

  /** A CSIDriver: has to attach, unless said otherwise. */
  public static CsiDriverBuilder csiDriver(ObjectKey key) {
    return new CsiDriverBuilder(key);
  }

  /** One with these metadata. */
  public static CsiDriverBuilder csiDriver(Meta meta) {
    return new CsiDriverBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static CsiDriverBuilder like(CsiDriver object) {
    return new CsiDriverBuilder(object);
  }

  /** A VolumeAttributesClass: without parameters, unless said otherwise. */
  public static AttributesClassBuilder attributesClass(String name) {
    return new AttributesClassBuilder(ObjectKey.cluster(name));
  }

  /** A VolumeAttributesClass: without parameters, unless said otherwise. */
  public static AttributesClassBuilder attributesClass(ObjectKey key) {
    return new AttributesClassBuilder(key);
  }

  /** One with these metadata. */
  public static AttributesClassBuilder attributesClass(Meta meta) {
    return new AttributesClassBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static AttributesClassBuilder like(AttributesClass object) {
    return new AttributesClassBuilder(object);
  }

  /** A CSIStorageCapacity: of no size, unless said otherwise. */
  public static StorageCapacityBuilder storageCapacity(String namespace, String name) {
    return new StorageCapacityBuilder(ObjectKey.of(namespace, name));
  }

  /** One with these metadata. */
  public static StorageCapacityBuilder storageCapacity(Meta meta) {
    return new StorageCapacityBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static StorageCapacityBuilder like(StorageCapacity object) {
    return new StorageCapacityBuilder(object);
  }

  /** A Lease: nobody holds it, unless said otherwise. */
  public static LeaseBuilder lease(String namespace, String name) {
    return new LeaseBuilder(ObjectKey.of(namespace, name));
  }

  /** A Lease: nobody holds it, unless said otherwise. */
  public static LeaseBuilder lease(ObjectKey key) {
    return new LeaseBuilder(key);
  }

  /** One with these metadata. */
  public static LeaseBuilder lease(Meta meta) {
    return new LeaseBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static LeaseBuilder like(Lease object) {
    return new LeaseBuilder(object);
  }

  /** An object of which only the metadata are known. */
  public static PartialObjectBuilder partialObject(String namespace, String name) {
    return new PartialObjectBuilder(ObjectKey.of(namespace, name));
  }

  /** An object of which only the metadata are known. */
  public static PartialObjectBuilder partialObject(ObjectKey key) {
    return new PartialObjectBuilder(key);
  }

  /** One like that. */
  public static PartialObjectBuilder like(PartialObject object) {
    return new PartialObjectBuilder(object);
  }

  /** A VolumeSnapshot: of nothing yet, unless said otherwise. */
  public static VolumeSnapshotBuilder volumeSnapshot(String namespace, String name) {
    return new VolumeSnapshotBuilder(ObjectKey.of(namespace, name));
  }

  /** One with these metadata. */
  public static VolumeSnapshotBuilder volumeSnapshot(Meta meta) {
    return new VolumeSnapshotBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static VolumeSnapshotBuilder like(VolumeSnapshot object) {
    return new VolumeSnapshotBuilder(object);
  }

  /** A VolumeSnapshotContent: of nothing yet, Delete, unless said otherwise. */
  public static SnapshotContentBuilder snapshotContent(String name) {
    return new SnapshotContentBuilder(ObjectKey.cluster(name));
  }

  /** One with these metadata. */
  public static SnapshotContentBuilder snapshotContent(Meta meta) {
    return new SnapshotContentBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static SnapshotContentBuilder like(SnapshotContent object) {
    return new SnapshotContentBuilder(object);
  }

  /** A VolumeSnapshotClass: Delete, unless said otherwise. */
  public static SnapshotClassBuilder snapshotClass(String name) {
    return new SnapshotClassBuilder(ObjectKey.cluster(name));
  }

  /** A VolumeSnapshotClass: Delete, unless said otherwise. */
  public static SnapshotClassBuilder snapshotClass(ObjectKey key) {
    return new SnapshotClassBuilder(key);
  }

  /** One with these metadata. */
  public static SnapshotClassBuilder snapshotClass(Meta meta) {
    return new SnapshotClassBuilder(meta.key()).meta(meta);
  }

  /** One like that. */
  public static SnapshotClassBuilder like(SnapshotClass object) {
    return new SnapshotClassBuilder(object);
  }

  /** A ReferenceGrant: grants nothing, unless said otherwise. */
  public static ReferenceGrantBuilder referenceGrant(String namespace, String name) {
    return new ReferenceGrantBuilder(ObjectKey.of(namespace, name));
  }

  /** One like that. */
  public static ReferenceGrantBuilder like(ReferenceGrant object) {
    return new ReferenceGrantBuilder(object);
  }

  /** The labels of a claim: none, unless said otherwise. */
  public static ClaimLabelsBuilder claimLabels(String namespace, String name) {
    return new ClaimLabelsBuilder(ObjectKey.of(namespace, name));
  }

  /** One like that. */
  public static ClaimLabelsBuilder like(ClaimLabels object) {
    return new ClaimLabelsBuilder(object);
  }

  /** A VolumeGroupSnapshot: of nothing yet, unless said otherwise. */
  public static GroupSnapshotBuilder groupSnapshot(String namespace, String name) {
    return new GroupSnapshotBuilder(ObjectKey.of(namespace, name));
  }

  /** One like that. */
  public static GroupSnapshotBuilder like(GroupSnapshot object) {
    return new GroupSnapshotBuilder(object);
  }

  /** A VolumeGroupSnapshotContent: of nothing yet, Delete, unless said otherwise. */
  public static GroupSnapshotContentBuilder groupSnapshotContent(String name) {
    return new GroupSnapshotContentBuilder(ObjectKey.cluster(name));
  }

  /** One like that. */
  public static GroupSnapshotContentBuilder like(GroupSnapshotContent object) {
    return new GroupSnapshotContentBuilder(object);
  }

  /** A VolumeGroupSnapshotClass: Delete, unless said otherwise. */
  public static GroupSnapshotClassBuilder groupSnapshotClass(String name) {
    return new GroupSnapshotClassBuilder(ObjectKey.cluster(name));
  }

  /** One like that. */
  public static GroupSnapshotClassBuilder like(GroupSnapshotClass object) {
    return new GroupSnapshotClassBuilder(object);
  }
}
