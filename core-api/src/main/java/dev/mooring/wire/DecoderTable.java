package dev.mooring.wire;

import dev.mooring.model.Attachment;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimLabels;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.CsiNode;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Node;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Pod;
import dev.mooring.model.PodMounts;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePopulator;
import dev.mooring.model.VolumeSnapshot;
import java.util.Map;

public final class DecoderTable {
  private static final Map<Class<?>, Decoder<?>> DECODERS =
      Map.ofEntries(
          makeEntry(Volume.class, VolumeKinds::decodeVolume),
          makeEntry(ClaimLabels.class, MetaDecoder::decodeClaimLabels),
          makeEntry(Claim.class, VolumeKinds::decodeClaim),
          makeEntry(Pod.class, WorkloadKinds::decodePod),
          makeEntry(PodMounts.class, PodMountsDecoder::decode),
          makeEntry(Node.class, WorkloadKinds::decodeNode),
          makeEntry(StorageClass.class, StorageKinds::decodeClass),
          makeEntry(Attachment.class, StorageKinds::decodeAttachment),
          makeEntry(CsiNode.class, CsiKinds::decodeCsiNode),
          makeEntry(CsiDriver.class, CsiKinds::decodeCsiDriver),
          makeEntry(AttributesClass.class, StorageKinds::decodeAttributesClass),
          makeEntry(StorageCapacity.class, CsiKinds::decodeCapacity),
          makeEntry(Lease.class, StorageKinds::decodeLease),
          makeEntry(PartialObject.class, MetaDecoder::decodePartial),
          makeEntry(VolumeSnapshot.class, SnapshotKinds::decodeSnapshot),
          makeEntry(SnapshotContent.class, SnapshotKinds::decodeContent),
          makeEntry(SnapshotClass.class, SnapshotKinds::decodeSnapshotClass),
          makeEntry(GroupSnapshot.class, GroupKinds::decodeGroup),
          makeEntry(GroupSnapshotContent.class, GroupKinds::decodeContent),
          makeEntry(GroupSnapshotClass.class, SnapshotKinds::decodeGroupClass),
          makeEntry(ReferenceGrant.class, GatewayKinds::decodeGrant),
          makeEntry(VolumePopulator.class, PopulatorKinds::decodePopulator));

  private DecoderTable() {}

  @SuppressWarnings("unchecked") // the map pairs each class with its own decoder
  public static <T extends Resource> Decoder<T> getDecoder(Kind<T> kind) {
    Decoder<?> decoder = DECODERS.get(kind.type());
    if (decoder == null) {
      throw new IllegalArgumentException("no decoder of " + kind);
    }
    return (Decoder<T>) decoder;
  }

  private static <T> Map.Entry<Class<?>, Decoder<?>> makeEntry(Class<T> type, Decoder<T> decoder) {
    return Map.entry(type, decoder);
  }
}
