package dev.mooring.it.sim;

import dev.mooring.csi.decide.StatusCodeMeanings.Call;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.spi.csi.VolumeProblem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** One process's connection to the CSI driver. */
final class CsiDriverConnection implements CsiConnection {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private final CsiWorkload workload;
  private final CsiDriverProcess driver;
  private Runnable onLoss = () -> {};

  CsiDriverConnection(CsiWorkload workload, CsiDriverProcess driver) {
    this.workload = workload;
    this.driver = driver;
  }

  /** Fault: loses the connection. */
  void loseConnection() {
    onLoss.run();
  }

  @Override
  public void onConnectionLost(Runnable listener) {
    onLoss = listener;
  }

  /** Makes a call that changes nothing. */
  private <T> DriverReply<T> query(Supplier<T> answer) {
    workload.simulation().yieldThread();
    if (driver.isDown()) {
      return CsiDriverProcess.rejected(StatusCode.UNAVAILABLE, "connection refused");
    }
    return switch (workload.outcome()) {
      case CsiCallOutcome.Rejected(StatusCode code) -> CsiDriverProcess.rejected(code, "rejected");
      case CsiCallOutcome.ResponseLost(StatusCode code) ->
          CsiDriverProcess.rejected(code, "the response was lost");
      case CsiCallOutcome.Success _, CsiCallOutcome.WrongData _, CsiCallOutcome.SlowCall _ ->
          new DriverReply.Ok<>(answer.get());
    };
  }

  private <T> DriverReply<T> change(Call call, String key, Supplier<DriverReply<T>> work) {
    workload.simulation().yieldThread();
    if (driver.isDown()) {
      DriverReply<T> refusal =
          CsiDriverProcess.rejected(StatusCode.UNAVAILABLE, "connection refused");
      workload.onCall(call, key, refusal);
      return refusal;
    }
    DriverReply<T> reply =
        Thread.currentThread().isInterrupted()
            ? CsiDriverProcess.rejected(StatusCode.CANCELLED, "interrupted")
            : driver.change(call, key, TIMEOUT, work);
    workload.onCall(call, key, reply);
    workload.simulation().yieldThread();
    return reply;
  }

  @Override
  public DriverReply<Boolean> probe() {
    return query(() -> true);
  }

  @Override
  public DriverReply<DriverIdentity> identify() {
    return query(driver::identity);
  }

  @Override
  public DriverReply<CsiVolume> createVolume(CreateVolume request) {
    return change(Call.CREATE_VOLUME, request.name(), () -> driver.create(request));
  }

  @Override
  public DriverReply<Done> deleteVolume(String volumeId, DriverSecrets secrets) {
    workload.checks().onDeleteSent(volumeId);
    return change(Call.DELETE_VOLUME, volumeId, () -> driver.delete(volumeId));
  }

  @Override
  public DriverReply<Map<String, String>> publish(PublishRequest request) {
    return change(Call.PUBLISH, request.volumeId(), () -> driver.publish(request));
  }

  @Override
  public DriverReply<Done> unpublish(String volumeId, String nodeId, DriverSecrets secrets) {
    return change(Call.UNPUBLISH, volumeId, () -> driver.unpublish(volumeId, nodeId));
  }

  @Override
  public DriverReply<Expanded> expand(ExpandRequest request) {
    return change(
        Call.EXPAND,
        request.volumeId(),
        () -> driver.expand(request.volumeId(), request.requiredBytes()));
  }

  @Override
  public DriverReply<Done> modify(
      String volumeId, DriverSecrets secrets, Map<String, String> parameters) {
    return change(Call.MODIFY, volumeId, () -> driver.modify(volumeId, parameters));
  }

  @Override
  public DriverReply<Map<String, ListedVolume>> listVolumes() {
    return query(driver::listVolumes);
  }

  @Override
  public DriverReply<Map<String, Condition>> listConditions(int pageSize) {
    return query(driver::conditions);
  }

  @Override
  public DriverReply<Map<String, List<VolumeProblem>>> listHealth(int pageSize) {
    return query(workload.health()::list);
  }

  @Override
  public DriverReply<List<VolumeProblem>> getHealth(String volumeId) {
    return switch (query(() -> workload.health().find(volumeId))) {
      case DriverReply.Ok<Optional<List<VolumeProblem>>>(Optional<List<VolumeProblem>> problems) ->
          problems
              .<DriverReply<List<VolumeProblem>>>map(DriverReply.Ok::new)
              .orElseGet(() -> CsiDriverProcess.rejected(StatusCode.NOT_FOUND, "volume not found"));
      case DriverReply.Refused<Optional<List<VolumeProblem>>> refused ->
          CsiDriverProcess.rejected(refused.code(), refused.text());
    };
  }

  @Override
  public DriverReply<AvailableCapacity> getCapacity(
      Map<String, String> parameters, Map<String, String> segments) {
    return query(() -> new AvailableCapacity(workload.randomCapacity(), -1));
  }

  @Override
  public DriverReply<CsiSnapshot> createSnapshot(CreateSnapshot request) {
    return change(Call.CREATE_SNAPSHOT, request.name(), () -> driver.snapshots().create(request));
  }

  @Override
  public DriverReply<Done> deleteSnapshot(String snapshotId, DriverSecrets secrets) {
    return change(Call.DELETE_SNAPSHOT, snapshotId, () -> driver.snapshots().delete(snapshotId));
  }

  @Override
  public DriverReply<Optional<CsiSnapshot>> getSnapshot(String snapshotId, DriverSecrets secrets) {
    return query(() -> driver.snapshots().find(snapshotId));
  }

  @Override
  public DriverReply<CsiGroupSnapshot> createGroupSnapshot(CreateGroupSnapshot request) {
    return change(
        Call.CREATE_GROUP_SNAPSHOT,
        request.name(),
        () ->
            driver
                .snapshots()
                .create(request, workload.outcome() instanceof CsiCallOutcome.WrongData));
  }

  @Override
  public DriverReply<Done> deleteGroupSnapshot(GroupSnapshotHandle group, DriverSecrets secrets) {
    return change(Call.DELETE_GROUP_SNAPSHOT, group.id(), () -> driver.snapshots().delete(group));
  }

  @Override
  public DriverReply<CsiGroupSnapshot> getGroupSnapshot(
      GroupSnapshotHandle group, DriverSecrets secrets) {
    return switch (query(() -> driver.snapshots().find(group))) {
      case DriverReply.Ok<Optional<CsiGroupSnapshot>>(Optional<CsiGroupSnapshot> foundGroup) ->
          foundGroup
              .<DriverReply<CsiGroupSnapshot>>map(DriverReply.Ok::new)
              .orElseGet(() -> CsiDriverProcess.rejected(StatusCode.NOT_FOUND, "group not found"));
      case DriverReply.Refused<Optional<CsiGroupSnapshot>> refused ->
          CsiDriverProcess.rejected(refused.code(), refused.text());
    };
  }

  @Override
  public void close() {}
}
