package dev.mooring.kube.wire;

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
import dev.mooring.model.Node;
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
import java.util.Map;

final class DecoderTable {
  static final Map<Class<?>, Decoder<?>> ALL =
      Map.ofEntries(
          decodes(Volume.class, VolumeKinds::volume),
          decodes(ClaimLabels.class, MetaDecoder::claimLabels),
          decodes(Claim.class, VolumeKinds::claim),
          decodes(Pod.class, WorkloadKinds::pod),
          decodes(PodMounts.class, PodMountsDecoder::pod),
          decodes(Node.class, WorkloadKinds::node),
          decodes(StorageClass.class, StorageKinds::storageClass),
          decodes(Attachment.class, StorageKinds::attachment),
          decodes(CsiNode.class, CsiKinds::csiNode),
          decodes(CsiDriver.class, CsiKinds::csiDriver),
          decodes(AttributesClass.class, StorageKinds::attributesClass),
          decodes(StorageCapacity.class, CsiKinds::storageCapacity),
          decodes(Lease.class, StorageKinds::lease),
          decodes(PartialObject.class, MetaDecoder::partial),
          decodes(VolumeSnapshot.class, SnapshotKinds::snapshot),
          decodes(SnapshotContent.class, SnapshotKinds::content),
          decodes(SnapshotClass.class, SnapshotKinds::snapshotClass),
          decodes(GroupSnapshot.class, GroupKinds::group),
          decodes(GroupSnapshotContent.class, GroupKinds::content),
          decodes(GroupSnapshotClass.class, GroupKinds::groupClass),
          decodes(ReferenceGrant.class, GatewayKinds::grant));

  private DecoderTable() {}

  private static <T> Map.Entry<Class<?>, Decoder<?>> decodes(Class<T> type, Decoder<T> decoder) {
    return Map.entry(type, decoder);
  }
}
