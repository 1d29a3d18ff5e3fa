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
final class CsiWire implements CsiConnection {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private final CsiWorkload workload;
  private final CsiDriverSide driver;
  private Runnable onLoss = () -> {};

  CsiWire(CsiWorkload workload, CsiDriverSide driver) {
    this.workload = workload;
    this.driver = driver;
  }

  /** Fault: loses the connection. */
  void lose() {
    onLoss.run();
  }

  @Override
  public void onLoss(Runnable listener) {
    onLoss = listener;
  }

  /** Makes a call that changes nothing. */
  private <T> Reply<T> asked(Supplier<T> answer) {
    workload.simulation().point();
    if (driver.isAway()) {
      return CsiDriverSide.refused(StatusCode.UNAVAILABLE, "connection refused");
    }
    return switch (workload.fate()) {
      case CsiFate.Refused(StatusCode code) -> CsiDriverSide.refused(code, "rejected");
      case CsiFate.Lost(StatusCode code) -> CsiDriverSide.refused(code, "the response was lost");
      case CsiFate.Well _, CsiFate.Lies _, CsiFate.Slow _ -> new Reply.Ok<>(answer.get());
    };
  }

  private <T> Reply<T> change(Call call, String key, Supplier<Reply<T>> work) {
    workload.simulation().point();
    if (driver.isAway()) {
      Reply<T> refused = CsiDriverSide.refused(StatusCode.UNAVAILABLE, "connection refused");
      workload.called(call, key, refused);
      return refused;
    }
    Reply<T> reply =
        Thread.currentThread().isInterrupted()
            ? CsiDriverSide.refused(StatusCode.CANCELLED, "interrupted")
            : driver.change(call, key, TIMEOUT, work);
    workload.called(call, key, reply);
    workload.simulation().point();
    return reply;
  }

  @Override
  public Reply<Boolean> probe() {
    return asked(() -> true);
  }

  @Override
  public Reply<Identity> identify() {
    return asked(driver::identity);
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
    return asked(driver::listed);
  }

  @Override
  public Reply<Map<String, Condition>> conditions(int pageSize) {
    return asked(driver::conditions);
  }

  @Override
  public Reply<Room> capacity(Map<String, String> parameters, Map<String, String> segments) {
    return asked(() -> new Room(workload.room(), -1));
  }

  @Override
  public Reply<CsiSnapshot> createSnapshot(CreateSnapshot request) {
    return change(Call.CREATE_SNAPSHOT, request.name(), () -> driver.cuts().create(request));
  }

  @Override
  public Reply<Done> deleteSnapshot(String snapshotId, Secrets secrets) {
    return change(Call.DELETE_SNAPSHOT, snapshotId, () -> driver.cuts().delete(snapshotId));
  }

  @Override
  public Reply<Optional<CsiSnapshot>> snapshot(String snapshotId, Secrets secrets) {
    return asked(() -> driver.cuts().find(snapshotId));
  }

  @Override
  public Reply<CsiGroupSnapshot> createGroupSnapshot(CreateGroupSnapshot request) {
    return change(
        Call.CREATE_GROUP_SNAPSHOT,
        request.name(),
        () -> driver.cuts().create(request, workload.fate() instanceof CsiFate.Lies));
  }

  @Override
  public Reply<Done> deleteGroupSnapshot(GroupHandles group, Secrets secrets) {
    return change(Call.DELETE_GROUP_SNAPSHOT, group.id(), () -> driver.cuts().delete(group));
  }

  @Override
  public Reply<CsiGroupSnapshot> groupSnapshot(GroupHandles group, Secrets secrets) {
    return switch (asked(() -> driver.cuts().find(group))) {
      case Reply.Ok<Optional<CsiGroupSnapshot>>(Optional<CsiGroupSnapshot> found) ->
          found
              .<Reply<CsiGroupSnapshot>>map(Reply.Ok::new)
              .orElseGet(() -> CsiDriverSide.refused(StatusCode.NOT_FOUND, "group not found"));
      case Reply.Refused<Optional<CsiGroupSnapshot>> refused ->
          CsiDriverSide.refused(refused.code(), refused.text());
    };
  }

  @Override
  public void close() {}
}
