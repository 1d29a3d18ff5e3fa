package dev.mooring.plugin.csi;

import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.GroupControllerGetCapabilitiesRequest;
import csi.v1.GroupControllerGrpc;
import dev.mooring.spi.csi.CsiConnection.CreateGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.GroupSnapshotHandle;
import dev.mooring.spi.csi.DriverSecrets;
import io.grpc.Channel;
import io.grpc.StatusException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

final class GroupCalls {
  private final Channel channel;
  private final Duration timeout;

  GroupCalls(Channel channel, Duration timeout) {
    this.channel = channel;
    this.timeout = timeout;
  }

  private GroupControllerGrpc.GroupControllerBlockingV2Stub stub() {
    return GroupControllerGrpc.newBlockingV2Stub(channel)
        .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  List<Integer> capabilities() throws StatusException, InterruptedException {
    return stub()
        .groupControllerGetCapabilities(GroupControllerGetCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .stream()
        .map(c -> c.getRpc().getType())
        .toList();
  }

  CsiGroupSnapshot create(CreateGroupSnapshot request)
      throws StatusException, InterruptedException {
    return MessageConverter.group(
        stub().createVolumeGroupSnapshot(MessageConverter.create(request)).getGroupSnapshot());
  }

  Done delete(GroupSnapshotHandle group, DriverSecrets secrets)
      throws StatusException, InterruptedException {
    stub()
        .deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(group.id())
                .addAllSnapshotIds(group.snapshotIds())
                .putAllSecrets(secrets.values())
                .build());
    return new Done();
  }

  CsiGroupSnapshot get(GroupSnapshotHandle group, DriverSecrets secrets)
      throws StatusException, InterruptedException {
    return MessageConverter.group(
        stub()
            .getVolumeGroupSnapshot(
                GetVolumeGroupSnapshotRequest.newBuilder()
                    .setGroupSnapshotId(group.id())
                    .addAllSnapshotIds(group.snapshotIds())
                    .putAllSecrets(secrets.values())
                    .build())
            .getGroupSnapshot());
  }
}
