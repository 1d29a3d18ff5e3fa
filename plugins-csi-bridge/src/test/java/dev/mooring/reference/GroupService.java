package dev.mooring.reference;

import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotResponse;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotResponse;
import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.GetVolumeGroupSnapshotResponse;
import csi.v1.GroupControllerGetCapabilitiesRequest;
import csi.v1.GroupControllerGetCapabilitiesResponse;
import csi.v1.GroupControllerGrpc;
import csi.v1.GroupControllerServiceCapability;
import dev.mooring.spi.csi.DriverIdentity.Service;
import io.grpc.stub.StreamObserver;

/** GroupController service on top of the snapshot store. */
final class GroupService extends GroupControllerGrpc.GroupControllerImplBase {
  private final ControllerService controller;
  private final VolumeStore store;
  private final ReferenceDriver.Settings settings;

  GroupService(ControllerService controller, VolumeStore store, ReferenceDriver.Settings settings) {
    this.controller = controller;
    this.store = store;
    this.settings = settings;
  }

  @Override
  public void groupControllerGetCapabilities(
      GroupControllerGetCapabilitiesRequest request,
      StreamObserver<GroupControllerGetCapabilitiesResponse> out) {
    GroupControllerGetCapabilitiesResponse.Builder response =
        GroupControllerGetCapabilitiesResponse.newBuilder();
    ReferenceDriver.numbers(settings, Service.GROUP_CONTROLLER)
        .forEach(n ->
            response.addCapabilities(
                GroupControllerServiceCapability.newBuilder()
                    .setRpc(GroupControllerServiceCapability.RPC.newBuilder().setType(n))));
    ReferenceDriver.answer(settings, "GroupControllerGetCapabilities", out, response.build());
  }

  @Override
  public void createVolumeGroupSnapshot(
      CreateVolumeGroupSnapshotRequest request,
      StreamObserver<CreateVolumeGroupSnapshotResponse> out) {
    controller.serve(
        "CreateVolumeGroupSnapshot",
        request.getName(),
        out,
        () -> {
          for (String volume : request.getSourceVolumeIdsList()) {
            controller.existing(volume);
          }
          return CreateVolumeGroupSnapshotResponse.newBuilder()
              .setGroupSnapshot(store.groups().create(request, store))
              .build();
        });
  }

  @Override
  public void deleteVolumeGroupSnapshot(
      DeleteVolumeGroupSnapshotRequest request,
      StreamObserver<DeleteVolumeGroupSnapshotResponse> out) {
    controller.serve(
        "DeleteVolumeGroupSnapshot",
        request.getGroupSnapshotId(),
        out,
        () -> {
          store.groups().delete(request);
          return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
        });
  }

  @Override
  public void getVolumeGroupSnapshot(
      GetVolumeGroupSnapshotRequest request, StreamObserver<GetVolumeGroupSnapshotResponse> out) {
    controller.serve(
        "GetVolumeGroupSnapshot",
        request.getGroupSnapshotId(),
        out,
        () ->
            GetVolumeGroupSnapshotResponse.newBuilder()
                .setGroupSnapshot(store.groups().get(request))
                .build());
  }
}
