package dev.mooring.it.sim;

import dev.mooring.csi.decide.Codes.Call;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import dev.mooring.spi.csi.StatusCode;
import java.time.Duration;
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
  public void onLoss(Runnable listener) {
    onLoss = listener;
  }

  /** Makes a call that changes nothing. */
  private <T> Reply<T> query(Supplier<T> answer) {
    workload.simulation().yieldThread();
    if (driver.isDown()) {
      return CsiDriverProcess.rejected(StatusCode.UNAVAILABLE, "connection refused");
    }
    return switch (workload.outcome()) {
      case CsiCallOutcome.Rejected(StatusCode code) -> CsiDriverProcess.rejected(code, "rejected");
      case CsiCallOutcome.ResponseLost(StatusCode code) ->
          CsiDriverProcess.rejected(code, "the response was lost");
      case CsiCallOutcome.Success _, CsiCallOutcome.WrongData _, CsiCallOutcome.SlowCall _ ->
          new Reply.Ok<>(answer.get());
    };
  }

  private <T> Reply<T> change(Call call, String key, Supplier<Reply<T>> work) {
    workload.simulation().yieldThread();
    if (driver.isDown()) {
      Reply<T> refused = CsiDriverProcess.rejected(StatusCode.UNAVAILABLE, "connection refused");
      workload.onCall(call, key, refused);
      return refused;
    }
    Reply<T> reply =
        Thread.currentThread().isInterrupted()
            ? CsiDriverProcess.rejected(StatusCode.CANCELLED, "interrupted")
            : driver.change(call, key, TIMEOUT, work);
    workload.onCall(call, key, reply);
    workload.simulation().yieldThread();
    return reply;
  }

  @Override
  public Reply<Boolean> probe() {
    return query(() -> true);
  }

  @Override
  public Reply<Identity> identify() {
    return query(driver::identity);
  }

  @Override
  public Reply<CsiVolume> createVolume(CreateVolume request) {
    return change(Call.CREATE_VOLUME, request.name(), () -> driver.create(request));
  }

  @Override
  public Reply<Done> deleteVolume(String volumeId, Secrets secrets) {
    return change(Call.DELETE_VOLUME, volumeId, () -> driver.delete(volumeId));
  }

  @Override
  public Reply<Map<String, String>> publish(Publish request) {
    return change(Call.PUBLISH, request.volumeId(), () -> driver.publish(request));
  }

  @Override
  public Reply<Done> unpublish(String volumeId, String nodeId, Secrets secrets) {
    return change(Call.UNPUBLISH, volumeId, () -> driver.unpublish(volumeId, nodeId));
  }

  @Override
  public Reply<Expanded> expand(Expand request) {
    return change(
        Call.EXPAND,
        request.volumeId(),
        () -> driver.expand(request.volumeId(), request.requiredBytes()));
  }

  @Override
  public Reply<Done> modify(String volumeId, Secrets secrets, Map<String, String> parameters) {
    return change(Call.MODIFY, volumeId, () -> driver.modify(volumeId, parameters));
  }

  @Override
  public Reply<Map<String, Listed>> volumes() {
    return query(driver::listVolumes);
  }

  @Override
  public Reply<Map<String, Condition>> conditions(int pageSize) {
    return query(driver::conditions);
  }

  @Override
  public Reply<Room> capacity(Map<String, String> parameters, Map<String, String> segments) {
    return query(() -> new Room(workload.randomCapacity(), -1));
  }

  @Override
  public Reply<CsiSnapshot> createSnapshot(CreateSnapshot request) {
    return change(Call.CREATE_SNAPSHOT, request.name(), () -> driver.snapshots().create(request));
  }

  @Override
  public Reply<Done> deleteSnapshot(String snapshotId, Secrets secrets) {
    return change(Call.DELETE_SNAPSHOT, snapshotId, () -> driver.snapshots().delete(snapshotId));
  }

  @Override
  public Reply<Optional<CsiSnapshot>> snapshot(String snapshotId, Secrets secrets) {
    return query(() -> driver.snapshots().find(snapshotId));
  }

  @Override
  public Reply<CsiGroupSnapshot> createGroupSnapshot(CreateGroupSnapshot request) {
    return change(
        Call.CREATE_GROUP_SNAPSHOT,
        request.name(),
        () ->
            driver
                .snapshots()
                .create(request, workload.outcome() instanceof CsiCallOutcome.WrongData));
  }

  @Override
  public Reply<Done> deleteGroupSnapshot(GroupHandles group, Secrets secrets) {
    return change(Call.DELETE_GROUP_SNAPSHOT, group.id(), () -> driver.snapshots().delete(group));
  }

  @Override
  public Reply<CsiGroupSnapshot> groupSnapshot(GroupHandles group, Secrets secrets) {
    return switch (query(() -> driver.snapshots().find(group))) {
      case Reply.Ok<Optional<CsiGroupSnapshot>>(Optional<CsiGroupSnapshot> found) ->
          found
              .<Reply<CsiGroupSnapshot>>map(Reply.Ok::new)
              .orElseGet(() -> CsiDriverProcess.rejected(StatusCode.NOT_FOUND, "group not found"));
      case Reply.Refused<Optional<CsiGroupSnapshot>> refused ->
          CsiDriverProcess.rejected(refused.code(), refused.text());
    };
  }

  @Override
  public void close() {}
}
