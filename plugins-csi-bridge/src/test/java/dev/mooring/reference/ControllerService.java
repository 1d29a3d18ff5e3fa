package dev.mooring.reference;

import com.google.protobuf.Int64Value;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerExpandVolumeResponse;
import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerGetCapabilitiesResponse;
import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerGetVolumeHealthResponse;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerGetVolumeResponse;
import csi.v1.ControllerGrpc;
import csi.v1.ControllerListVolumeHealthRequest;
import csi.v1.ControllerListVolumeHealthResponse;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerModifyVolumeResponse;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerPublishVolumeResponse;
import csi.v1.ControllerServiceCapability;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeResponse;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateSnapshotResponse;
import csi.v1.CreateVolumeRequest;
import csi.v1.CreateVolumeResponse;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteSnapshotResponse;
import csi.v1.DeleteVolumeRequest;
import csi.v1.DeleteVolumeResponse;
import csi.v1.GetCapacityRequest;
import csi.v1.GetCapacityResponse;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListSnapshotsResponse;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import csi.v1.Volume;
import csi.v1.VolumeCondition;
import csi.v1.VolumeHealth;
import dev.mooring.reference.VolumeStore.Item;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverIdentity.Service;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/**
 * Controller service as specified: a call for a volume with a call in progress is refused with
 * {@code ABORTED}.
 */
final class ControllerService extends ControllerGrpc.ControllerImplBase {
  @FunctionalInterface
  interface Work<T> {
    T run() throws StatusException;
  }

  private final VolumeStore store;
  private final ReferenceDriver.Settings settings;
  private final List<String> calls = new ArrayList<>();
  private final Set<String> busy = new HashSet<>();
  private volatile boolean stopped;

  ControllerService(VolumeStore store, ReferenceDriver.Settings settings) {
    this.store = store;
    this.settings = settings;
  }

  synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  <T> void serve(String method, String subject, StreamObserver<T> out, Work<T> work) {
    synchronized (this) {
      calls.add(method + " " + subject);
      store.record(method + " " + subject);
      if (!busy.add(subject)) {
        out.onError(status(Status.ABORTED, "an operation on " + subject + " is in progress"));
        return;
      }
    }
    try {
      T answer = runWithFault(method, work);
      endWork(subject);
      ReferenceDriver.answer(out, answer);
    } catch (StatusException e) {
      endWork(subject);
      out.onError(e);
    }
  }

  /** Makes all later work fail: the process has ended. */
  void stop() {
    stopped = true;
    store.record("stops");
  }

  private synchronized void endWork(String subject) {
    busy.remove(subject);
  }

  private <T> T runWithFault(String method, Work<T> work) throws StatusException {
    return switch (settings.faults().apply(method)) {
      case Fault.None(), Fault.Partly() -> runLocked(work);
      case Fault.Refused(Status.Code code, String message) ->
          throw code.toStatus().withDescription(message).asException();
      case Fault.Lost(Status.Code code) -> {
        runLocked(work);
        throw code.toStatus().withDescription("lost on demand").asException();
      }
      case Fault.Slow(long millis) -> {
        LockSupport.parkNanos(millis * 1_000_000);
        yield runLocked(work);
      }
    };
  }

  private <T> T runLocked(Work<T> work) throws StatusException {
    synchronized (store) {
      if (stopped) {
        throw status(Status.UNAVAILABLE, "the driver is gone");
      }
      return work.run();
    }
  }

  private static StatusException status(Status status, String message) {
    return status.withDescription(message).asException();
  }

  /** Records a call that no correct caller makes. */
  private StatusException offence(String offence) {
    store.recordOffence(offence);
    return status(Status.FAILED_PRECONDITION, offence);
  }

  Item existing(String id) throws StatusException {
    return store.get(id).orElseThrow(() -> status(Status.NOT_FOUND, "no volume " + id));
  }

  @Override
  public void controllerGetCapabilities(
      ControllerGetCapabilitiesRequest request,
      StreamObserver<ControllerGetCapabilitiesResponse> out) {
    ControllerGetCapabilitiesResponse.Builder response =
        ControllerGetCapabilitiesResponse.newBuilder();
    ReferenceDriver.numbers(settings, Service.CONTROLLER)
        .forEach(n ->
            response.addCapabilities(
                ControllerServiceCapability.newBuilder()
                    .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(n))));
    ReferenceDriver.answer(settings, "ControllerGetCapabilities", out, response.build());
  }

  @Override
  public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> out) {
    serve(
        "CreateVolume",
        request.getName(),
        out,
        () -> {
          if (request.getName().isEmpty() || request.getVolumeCapabilitiesCount() == 0) {
            throw status(Status.INVALID_ARGUMENT, "name and capabilities are required");
          }
          String parameters = new TreeMap<>(request.getParametersMap()).toString();
          long bytes = Math.max(1, request.getCapacityRange().getRequiredBytes());
          Item item = store.findByName(request.getName()).orElse(null);
          if (item == null) {
            item = store.add(request.getName(), bytes, parameters, source(request));
          } else if (item.bytes() < bytes || !item.parameters().equals(parameters)) {
            throw status(Status.ALREADY_EXISTS, request.getName() + " exists with other arguments");
          }
          Volume.Builder volume =
              Volume.newBuilder()
                  .setVolumeId(item.id())
                  .setCapacityBytes(item.bytes())
                  .putAllVolumeContext(Map.of("made-by", settings.name()));
          if (request.hasAccessibilityRequirements()
              && request.getAccessibilityRequirements().getPreferredCount() > 0) {
            volume.addAccessibleTopology(request.getAccessibilityRequirements().getPreferred(0));
          }
          if (request.hasVolumeContentSource()) {
            volume.setContentSource(request.getVolumeContentSource());
          }
          return CreateVolumeResponse.newBuilder().setVolume(volume).build();
        });
  }

  private String source(CreateVolumeRequest request) throws StatusException {
    if (!request.hasVolumeContentSource()) {
      return "";
    }
    String snapshot = request.getVolumeContentSource().getSnapshot().getSnapshotId();
    return request.getVolumeContentSource().hasVolume()
        ? existing(request.getVolumeContentSource().getVolume().getVolumeId()).id()
        : store
            .snapshots()
            .get(snapshot)
            .orElseThrow(() -> status(Status.NOT_FOUND, "no snapshot " + snapshot))
            .id();
  }

  @Override
  public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> out) {
    serve(
        "DeleteVolume",
        request.getVolumeId(),
        out,
        () -> {
          Item item = store.get(request.getVolumeId()).orElse(null);
          if (item != null && !item.nodes().isEmpty()) {
            throw offence("asked to delete " + item.id() + ", published on " + item.nodes());
          }
          store.remove(request.getVolumeId());
          return DeleteVolumeResponse.getDefaultInstance();
        });
  }

  @Override
  public void controllerPublishVolume(
      ControllerPublishVolumeRequest request, StreamObserver<ControllerPublishVolumeResponse> out) {
    serve(
        "ControllerPublishVolume",
        request.getVolumeId(),
        out,
        () -> {
          Item item = existing(request.getVolumeId());
          if (!item.nodes().isEmpty() && !item.nodes().contains(request.getNodeId())) {
            throw offence("asked to publish " + item.id() + ", published on " + item.nodes());
          }
          Set<String> nodes = new HashSet<>(item.nodes());
          nodes.add(request.getNodeId());
          store.put(item.withPublishedNodes(nodes));
          return ControllerPublishVolumeResponse.newBuilder()
              .putPublishContext("device", "/dev/" + item.id())
              .build();
        });
  }

  @Override
  public void controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request,
      StreamObserver<ControllerUnpublishVolumeResponse> out) {
    serve(
        "ControllerUnpublishVolume",
        request.getVolumeId(),
        out,
        () -> {
          store
              .get(request.getVolumeId())
              .ifPresent(item -> {
                Set<String> nodes = new TreeSet<>(item.nodes());
                nodes.remove(request.getNodeId());
                store.put(item.withPublishedNodes(nodes));
              });
          return ControllerUnpublishVolumeResponse.getDefaultInstance();
        });
  }

  @Override
  public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> out) {
    boolean isEmptyList = settings.faults().apply("ListVolumes entries") instanceof Fault.Partly;
    serve(
        "ListVolumes",
        request.getStartingToken(),
        out,
        () -> {
          ListVolumesResponse.Builder response = ListVolumesResponse.newBuilder();
          List<Item> items = new ArrayList<>(isEmptyList ? List.of() : store.listVolumes());
          items.sort((a, b) -> a.id().compareTo(b.id()));
          int start =
              request.getStartingToken().isEmpty()
                  ? 0
                  : Integer.parseInt(request.getStartingToken());
          int end = Math.min(items.size(), start + 2); // small pages, so that lists have several
          for (Item item : items.subList(start, end)) {
            response.addEntries(
                ListVolumesResponse.Entry.newBuilder()
                    .setVolume(
                        Volume.newBuilder().setVolumeId(item.id()).setCapacityBytes(item.bytes()))
                    .setStatus(
                        ListVolumesResponse.VolumeStatus.newBuilder()
                            .addAllPublishedNodeIds(item.nodes())
                            .setVolumeCondition(condition(item.id()))));
          }
          boolean repeatsToken =
              settings.faults().apply("ListVolumes tokens") instanceof Fault.Partly;
          int nextStart = repeatsToken ? start : end;
          return response
              .setNextToken(nextStart < items.size() ? Integer.toString(nextStart) : "")
              .build();
        });
  }

  private VolumeCondition condition(String id) {
    return VolumeCondition.newBuilder()
        .setAbnormal(!store.ill(id).isEmpty())
        .setMessage(store.ill(id))
        .build();
  }

  @Override
  public void controllerGetVolume(
      ControllerGetVolumeRequest request, StreamObserver<ControllerGetVolumeResponse> out) {
    serve(
        "ControllerGetVolume",
        request.getVolumeId(),
        out,
        () -> {
          Item item = existing(request.getVolumeId());
          return ControllerGetVolumeResponse.newBuilder()
              .setVolume(Volume.newBuilder().setVolumeId(item.id()).setCapacityBytes(item.bytes()))
              .setStatus(
                  ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                      .setVolumeCondition(condition(item.id())))
              .build();
        });
  }

  @Override
  public void controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request,
      StreamObserver<ControllerListVolumeHealthResponse> out) {
    serve(
        "ControllerListVolumeHealth",
        request.getStartingToken(),
        out,
        () -> {
          List<Item> illItems = new ArrayList<>(store.listVolumes());
          illItems.removeIf(item -> store.ill(item.id()).isEmpty());
          illItems.sort((a, b) -> a.id().compareTo(b.id()));
          int start =
              request.getStartingToken().isEmpty()
                  ? 0
                  : Integer.parseInt(request.getStartingToken());
          ControllerListVolumeHealthResponse.Builder response =
              ControllerListVolumeHealthResponse.newBuilder();
          if (start < illItems.size()) { // one entry a page
            response.addEntries(health(illItems.get(start).id()));
          }
          return response
              .setNextToken(start + 1 < illItems.size() ? Integer.toString(start + 1) : "")
              .build();
        });
  }

  @Override
  public void controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request,
      StreamObserver<ControllerGetVolumeHealthResponse> out) {
    serve(
        "ControllerGetVolumeHealth",
        request.getVolumeId(),
        out,
        () ->
            ControllerGetVolumeHealthResponse.newBuilder()
                .setVolumeHealth(health(existing(request.getVolumeId()).id()))
                .build());
  }

  private VolumeHealth health(String id) {
    VolumeHealth.Builder health = VolumeHealth.newBuilder().setVolumeId(id);
    if (!store.ill(id).isEmpty()) {
      health.addHealthStatuses(
          VolumeHealth.VolumeHealthEntry.newBuilder()
              .setStatus(2) // INACCESSIBLE
              .setReason("Ill")
              .setMessage(store.ill(id)));
    }
    return health.build();
  }

  @Override
  public void getCapacity(GetCapacityRequest request, StreamObserver<GetCapacityResponse> out) {
    serve(
        "GetCapacity",
        new TreeMap<>(request.getAccessibleTopology().getSegmentsMap())
            + " "
            + new TreeMap<>(request.getParametersMap()),
        out,
        () -> {
          long used = store.listVolumes().stream().mapToLong(Item::bytes).sum();
          return GetCapacityResponse.newBuilder()
              .setAvailableCapacity(Math.max(0, VolumeStore.ROOM - used))
              .setMaximumVolumeSize(Int64Value.of(VolumeStore.ROOM / 2))
              .build();
        });
  }

  @Override
  public void controllerExpandVolume(
      ControllerExpandVolumeRequest request, StreamObserver<ControllerExpandVolumeResponse> out) {
    serve(
        "ControllerExpandVolume",
        request.getVolumeId(),
        out,
        () -> {
          Item item = existing(request.getVolumeId());
          long bytes = Math.max(item.bytes(), request.getCapacityRange().getRequiredBytes());
          store.put(item.grown(bytes));
          return ControllerExpandVolumeResponse.newBuilder()
              .setCapacityBytes(bytes)
              .setNodeExpansionRequired(
                  settings.abilities().contains(DriverCapability.NODE_EXPAND_VOLUME))
              .build();
        });
  }

  @Override
  public void controllerModifyVolume(
      ControllerModifyVolumeRequest request, StreamObserver<ControllerModifyVolumeResponse> out) {
    serve(
        "ControllerModifyVolume",
        request.getVolumeId(),
        out,
        () -> {
          Item item = existing(request.getVolumeId());
          store.put(item.with(new TreeMap<>(request.getMutableParametersMap()).toString()));
          return ControllerModifyVolumeResponse.getDefaultInstance();
        });
  }

  @Override
  public void createSnapshot(
      CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> out) {
    serve(
        "CreateSnapshot",
        request.getName(),
        out,
        () -> store.snapshots().create(request, existing(request.getSourceVolumeId())));
  }

  @Override
  public void deleteSnapshot(
      DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> out) {
    serve("DeleteSnapshot", request.getSnapshotId(), out, () -> store.snapshots().delete(request));
  }

  @Override
  public void listSnapshots(
      ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> out) {
    serve("ListSnapshots", request.getSnapshotId(), out, () -> store.snapshots().list(request));
  }
}
