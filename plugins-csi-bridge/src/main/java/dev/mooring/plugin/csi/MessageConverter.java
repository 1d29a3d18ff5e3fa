package dev.mooring.plugin.csi;

import com.google.protobuf.Timestamp;
import csi.v1.CapacityRange;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.CreateVolumeResponse;
import csi.v1.GetCapacityRequest;
import csi.v1.ListSnapshotsResponse;
import csi.v1.Snapshot;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import csi.v1.VolumeGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.ContentSource;
import dev.mooring.spi.csi.CsiConnection.CreateGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CreateSnapshot;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.VolumeAccess;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class MessageConverter {
  private MessageConverter() {}

  static CapacityRange toCapacityRange(long bytes) {
    return CapacityRange.newBuilder().setRequiredBytes(bytes).build();
  }

  static VolumeCapability capability(VolumeAccess access) {
    VolumeCapability.Builder capability =
        VolumeCapability.newBuilder()
            .setAccessMode(
                VolumeCapability.AccessMode.newBuilder().setMode(access.mode().number()));
    if (access.block()) {
      capability.setBlock(VolumeCapability.BlockVolume.getDefaultInstance());
    } else {
      capability.setMount(
          VolumeCapability.MountVolume.newBuilder()
              .setFsType(access.fsType())
              .addAllMountFlags(access.mountFlags()));
    }
    return capability.build();
  }

  static CreateVolumeRequest create(CreateVolume request) {
    CreateVolumeRequest.Builder message =
        CreateVolumeRequest.newBuilder()
            .setName(request.name())
            .setCapacityRange(toCapacityRange(request.requiredBytes()))
            .putAllParameters(request.parameters())
            .putAllSecrets(request.secrets().values())
            .putAllModifiableParameters(request.mutableParameters());
    request.accesses().forEach(a -> message.addVolumeCapabilities(capability(a)));
    if (request.source() != null) {
      message.setVolumeContentSource(toSource(request.source()));
    }
    if (request.topology() != null) {
      message.setAccessibilityRequirements(
          TopologyRequirement.newBuilder()
              .addAllRequisite(toTopologies(request.topology().requisite()))
              .addAllPreferred(toTopologies(request.topology().preferred())));
    }
    return message.build();
  }

  private static VolumeContentSource toSource(ContentSource content) {
    VolumeContentSource.Builder source = VolumeContentSource.newBuilder();
    switch (content.kind()) {
      case SNAPSHOT ->
          source.setSnapshot(
              VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(content.id()));
      case VOLUME ->
          source.setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(content.id()));
    }
    return source.build();
  }

  private static List<Topology> toTopologies(List<Map<String, String>> segments) {
    return segments.stream().map(s -> Topology.newBuilder().putAllSegments(s).build()).toList();
  }

  static GetCapacityRequest capacity(Map<String, String> parameters, Map<String, String> segments) {
    GetCapacityRequest.Builder request =
        GetCapacityRequest.newBuilder().putAllParameters(parameters);
    if (!segments.isEmpty()) {
      request.setAccessibleTopology(Topology.newBuilder().putAllSegments(segments));
    }
    return request.build();
  }

  static CsiVolume volume(CreateVolumeResponse response) {
    Volume volume = response.getVolume();
    return new CsiVolume(
        volume.getVolumeId(),
        volume.getCapacityBytes(),
        Map.copyOf(volume.getVolumeContextMap()),
        volume.hasContentSource(),
        toSegments(volume.getAccessibleTopologyList()));
  }

  private static List<Map<String, String>> toSegments(List<Topology> topologies) {
    return topologies.stream().map(t -> Map.copyOf(t.getSegmentsMap())).toList();
  }

  static CreateSnapshotRequest create(CreateSnapshot request) {
    CreateSnapshotRequest.Builder message =
        CreateSnapshotRequest.newBuilder()
            .setName(request.name())
            .setSourceVolumeId(request.volumeId())
            .putAllParameters(request.parameters())
            .putAllSecrets(request.secrets().values());
    if (!request.topologies().isEmpty()) {
      message.setAccessibilityRequirements(
          TopologyRequirement.newBuilder().addAllPreferred(toTopologies(request.topologies())));
    }
    return message.build();
  }

  static CsiSnapshot snapshot(Snapshot snapshot) {
    return new CsiSnapshot(
        snapshot.getSnapshotId(),
        snapshot.getSizeBytes(),
        nanos(snapshot.getCreationTime()),
        snapshot.getReadyToUse(),
        snapshot.getSourceVolumeId(),
        snapshot.getGroupSnapshotId(),
        toSegments(snapshot.getAccessibleTopologyList()));
  }

  // Some drivers answer with another spelling of the id. Others ignore the id, and list all.
  static Optional<CsiSnapshot> findSnapshot(String id, ListSnapshotsResponse response) {
    List<CsiSnapshot> snapshots =
        response.getEntriesList().stream().map(entry -> snapshot(entry.getSnapshot())).toList();
    boolean isOnlyOne = snapshots.size() == 1 && response.getNextToken().isEmpty();
    return snapshots.stream().filter(snapshot -> isOnlyOne || snapshot.id().equals(id)).findFirst();
  }

  // A missing time is read as the epoch; no snapshot is that old.
  private static long nanos(Timestamp time) {
    return time.getSeconds() * 1_000_000_000L + time.getNanos();
  }

  static CreateVolumeGroupSnapshotRequest create(CreateGroupSnapshot request) {
    return CreateVolumeGroupSnapshotRequest.newBuilder()
        .setName(request.name())
        .addAllSourceVolumeIds(request.volumeIds())
        .putAllParameters(request.parameters())
        .putAllSecrets(request.secrets().values())
        .build();
  }

  static CsiGroupSnapshot group(VolumeGroupSnapshot group) {
    return new CsiGroupSnapshot(
        group.getGroupSnapshotId(),
        group.getSnapshotsList().stream().map(MessageConverter::snapshot).toList(),
        nanos(group.getCreationTime()),
        group.getReadyToUse());
  }
}
