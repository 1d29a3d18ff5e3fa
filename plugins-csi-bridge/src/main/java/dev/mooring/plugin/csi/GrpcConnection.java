package dev.mooring.plugin.csi;

import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerExpandVolumeResponse;
import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerGrpc;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerPublishVolumeResponse;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetCapacityResponse;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginInfoRequest;
import csi.v1.GetPluginInfoResponse;
import csi.v1.IdentityGrpc;
import csi.v1.ListSnapshotsRequest;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGrpc;
import csi.v1.ProbeRequest;
import csi.v1.ProbeResponse;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverIdentity.Service;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.spi.csi.VolumeProblem;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

final class GrpcConnection implements CsiConnection {
  private static final long SHUTDOWN_GRACE_SECONDS = 2;

  private final ManagedChannel channel;
  private final Duration timeout;
  private final GroupCalls groups;
  private final VolumeReads volumes;
  private final ChannelWatch channelWatch;
  private final Runnable onClose;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  GrpcConnection(
      ManagedChannel channel, Duration timeout, ScheduledExecutorService timers, Runnable onClose) {
    this.onClose = onClose;
    this.channel = channel;
    this.timeout = timeout;
    this.groups = new GroupCalls(channel, timeout);
    this.volumes = new VolumeReads(this::controller);
    this.channelWatch = new ChannelWatch(channel, timers);
    channelWatch.start();
  }

  @FunctionalInterface
  private interface Call<T> {
    T run() throws StatusException, InterruptedException;
  }

  private static <T> DriverReply<T> reply(Call<T> call) {
    try {
      return new DriverReply.Ok<>(call.run());
    } catch (StatusException e) {
      Status status = e.getStatus();
      return new DriverReply.Refused<>(
          StatusCode.of(status.getCode().value()), RefusalMessage.of(status));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new DriverReply.Refused<>(StatusCode.CANCELLED, "interrupted");
    }
  }

  private ControllerGrpc.ControllerBlockingV2Stub controller() {
    return ControllerGrpc.newBlockingV2Stub(channel)
        .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private IdentityGrpc.IdentityBlockingV2Stub identity() {
    return IdentityGrpc.newBlockingV2Stub(channel)
        .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private NodeGrpc.NodeBlockingV2Stub node() {
    return NodeGrpc.newBlockingV2Stub(channel)
        .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public DriverReply<Boolean> probe() {
    return reply(() -> {
      ProbeResponse response = identity().probe(ProbeRequest.getDefaultInstance());
      return !response.hasReady() || response.getReady().getValue();
    });
  }

  @Override
  public DriverReply<DriverIdentity> identify() {
    return reply(() -> {
      GetPluginInfoResponse info =
          identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
      Set<DriverCapability> capabilities = EnumSet.noneOf(DriverCapability.class);
      addMatching(capabilities, Service.PLUGIN, pluginCapabilities());
      if (capabilities.contains(DriverCapability.CONTROLLER_SERVICE)) {
        addMatching(capabilities, Service.CONTROLLER, controllerCapabilities());
      }
      if (capabilities.contains(DriverCapability.GROUP_CONTROLLER_SERVICE)) {
        addMatching(capabilities, Service.GROUP_CONTROLLER, groups.capabilities());
      }
      return new DriverIdentity(info.getName(), info.getVendorVersion(), Set.copyOf(capabilities));
    });
  }

  private static void addMatching(
      Set<DriverCapability> capabilities, Service service, List<Integer> numbers) {
    for (DriverCapability capability : DriverCapability.values()) {
      if (capability.service() == service && numbers.contains(capability.number())) {
        capabilities.add(capability);
      }
    }
  }

  private List<Integer> pluginCapabilities() throws StatusException, InterruptedException {
    return identity()
        .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .stream()
        .map(c -> c.getService().getType())
        .toList();
  }

  private List<Integer> controllerCapabilities() throws StatusException, InterruptedException {
    return controller()
        .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .stream()
        .map(c -> c.getRpc().getType())
        .toList();
  }

  @Override
  public DriverReply<Set<DriverCapability>> getNodeCapabilities() {
    return reply(() -> {
      Set<DriverCapability> capabilities = EnumSet.noneOf(DriverCapability.class);
      addMatching(capabilities, Service.NODE, nodeCapabilities());
      return Set.copyOf(capabilities);
    });
  }

  // A controller that runs apart from the node side has no Node service.
  private List<Integer> nodeCapabilities() throws StatusException, InterruptedException {
    try {
      return node()
          .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
          .getCapabilitiesList()
          .stream()
          .map(c -> c.getRpc().getType())
          .toList();
    } catch (StatusException e) {
      if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
        return List.of();
      }
      throw e;
    }
  }

  @Override
  public void onConnectionLost(Runnable listener) {
    channelWatch.onLoss(listener);
  }

  @Override
  public DriverReply<CsiVolume> createVolume(CreateVolume request) {
    return reply(
        () -> MessageConverter.volume(controller().createVolume(MessageConverter.create(request))));
  }

  @Override
  public DriverReply<Done> deleteVolume(String volumeId, DriverSecrets secrets) {
    return reply(() -> {
      controller()
          .deleteVolume(
              DeleteVolumeRequest.newBuilder()
                  .setVolumeId(volumeId)
                  .putAllSecrets(secrets.values())
                  .build());
      return new Done();
    });
  }

  @Override
  public DriverReply<Map<String, String>> publish(PublishRequest request) {
    return reply(() -> {
      ControllerPublishVolumeResponse response =
          controller()
              .controllerPublishVolume(
                  ControllerPublishVolumeRequest.newBuilder()
                      .setVolumeId(request.volumeId())
                      .setNodeId(request.nodeId())
                      .setVolumeCapability(MessageConverter.capability(request.access()))
                      .setReadonly(request.readOnly())
                      .putAllSecrets(request.secrets().values())
                      .putAllVolumeContext(request.context())
                      .build());
      return Map.copyOf(response.getPublishContextMap());
    });
  }

  @Override
  public DriverReply<Done> unpublish(String volumeId, String nodeId, DriverSecrets secrets) {
    return reply(() -> {
      controller()
          .controllerUnpublishVolume(
              ControllerUnpublishVolumeRequest.newBuilder()
                  .setVolumeId(volumeId)
                  .setNodeId(nodeId)
                  .putAllSecrets(secrets.values())
                  .build());
      return new Done();
    });
  }

  @Override
  public DriverReply<Expanded> expand(ExpandRequest request) {
    return reply(() -> {
      ControllerExpandVolumeResponse response =
          controller()
              .controllerExpandVolume(
                  ControllerExpandVolumeRequest.newBuilder()
                      .setVolumeId(request.volumeId())
                      .setCapacityRange(MessageConverter.toCapacityRange(request.requiredBytes()))
                      .setVolumeCapability(MessageConverter.capability(request.access()))
                      .putAllSecrets(request.secrets().values())
                      .build());
      return new Expanded(response.getCapacityBytes(), response.getNodeExpansionRequired());
    });
  }

  @Override
  public DriverReply<Done> modify(
      String volumeId, DriverSecrets secrets, Map<String, String> mutableParameters) {
    return reply(() -> {
      controller()
          .controllerModifyVolume(
              ControllerModifyVolumeRequest.newBuilder()
                  .setVolumeId(volumeId)
                  .putAllSecrets(secrets.values())
                  .putAllMutableParameters(mutableParameters)
                  .build());
      return new Done();
    });
  }

  @Override
  public DriverReply<Map<String, ListedVolume>> listVolumes() {
    return listVolumes(0);
  }

  @Override
  public DriverReply<Map<String, ListedVolume>> listVolumes(int pageSize) {
    return reply(() -> volumes.list(pageSize));
  }

  @Override
  public DriverReply<Map<String, Condition>> listConditions(int pageSize) {
    return reply(() -> volumes.listConditions(pageSize));
  }

  @Override
  public DriverReply<Condition> getCondition(String volumeId) {
    return reply(() -> volumes.getCondition(volumeId));
  }

  @Override
  public DriverReply<Map<String, List<VolumeProblem>>> listHealth(int pageSize) {
    return reply(() -> volumes.listHealth(pageSize));
  }

  @Override
  public DriverReply<List<VolumeProblem>> getHealth(String volumeId) {
    return reply(() -> volumes.getHealth(volumeId));
  }

  @Override
  public DriverReply<AvailableCapacity> getCapacity(
      Map<String, String> parameters, Map<String, String> segments) {
    return reply(() -> {
      GetCapacityResponse response =
          controller().getCapacity(MessageConverter.capacity(parameters, segments));
      return new AvailableCapacity(
          response.getAvailableCapacity(),
          response.hasMaximumVolumeSize() ? response.getMaximumVolumeSize().getValue() : -1);
    });
  }

  @Override
  public DriverReply<CsiSnapshot> createSnapshot(CreateSnapshot request) {
    return reply(() ->
        MessageConverter.snapshot(
            controller().createSnapshot(MessageConverter.create(request)).getSnapshot()));
  }

  @Override
  public DriverReply<Done> deleteSnapshot(String snapshotId, DriverSecrets secrets) {
    return reply(() -> {
      controller()
          .deleteSnapshot(
              DeleteSnapshotRequest.newBuilder()
                  .setSnapshotId(snapshotId)
                  .putAllSecrets(secrets.values())
                  .build());
      return new Done();
    });
  }

  @Override
  public DriverReply<Optional<CsiSnapshot>> getSnapshot(String snapshotId, DriverSecrets secrets) {
    return reply(() ->
        MessageConverter.findSnapshot(
            snapshotId,
            controller()
                .listSnapshots(
                    ListSnapshotsRequest.newBuilder()
                        .setSnapshotId(snapshotId)
                        .putAllSecrets(secrets.values())
                        .build())));
  }

  @Override
  public DriverReply<CsiGroupSnapshot> createGroupSnapshot(CreateGroupSnapshot request) {
    return reply(() -> groups.create(request));
  }

  @Override
  public DriverReply<Done> deleteGroupSnapshot(GroupSnapshotHandle group, DriverSecrets secrets) {
    return reply(() -> groups.delete(group, secrets));
  }

  @Override
  public DriverReply<CsiGroupSnapshot> getGroupSnapshot(
      GroupSnapshotHandle group, DriverSecrets secrets) {
    return reply(() -> groups.get(group, secrets));
  }

  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    channel.shutdownNow();
    try { // gRPC threads may load classes of this plugin until the channel has terminated
      channel.awaitTermination(SHUTDOWN_GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      onClose.run();
    }
  }
}
