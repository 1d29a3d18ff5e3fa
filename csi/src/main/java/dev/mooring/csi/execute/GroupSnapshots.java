package dev.mooring.csi.execute;

import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.decide.DataHandle;
import dev.mooring.csi.execute.DriverSnapshots.ClassFacts;
import dev.mooring.csi.execute.DriverSnapshots.CreationRequest;
import dev.mooring.csi.execute.DriverSnapshots.SnapshotAnswer;
import dev.mooring.informer.Informer;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.csi.CsiConnection.CreateGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.GroupSnapshotHandle;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import java.util.Optional;

public record GroupSnapshots(DriverSession session, Informer<GroupSnapshotClass> classes)
    implements DriverSnapshots {
  @Override
  public Optional<ClassFacts> classNamed(String name) {
    return classes
        .get(ObjectKey.cluster(name))
        .map(found -> new ClassFacts(found.driver(), found.parameters()));
  }

  @Override
  public DriverReply<SnapshotAnswer> create(ContentView content, CreationRequest request) {
    CreateGroupSnapshot call =
        new CreateGroupSnapshot(
            request.name(), content.volumes(), request.parameters(), request.secrets());
    return switch (session.call("CreateVolumeGroupSnapshot", c -> c.createGroupSnapshot(call))) {
      case DriverReply.Ok<CsiGroupSnapshot>(CsiGroupSnapshot group) ->
          new DriverReply.Ok<>(answer(group.id(), group));
      case DriverReply.Refused<CsiGroupSnapshot> refused ->
          new DriverReply.Refused<>(refused.code(), refused.message());
    };
  }

  private static SnapshotAnswer answer(String id, CsiGroupSnapshot group) {
    return new SnapshotAnswer(
        id, group.created(), group.ready(), group.snapshots(), ContentRules.flaw(group));
  }

  // A driver may omit the id of the group that it was asked for.
  @Override
  public CheckResult<SnapshotAnswer> find(DataHandle handle, DriverSecrets secrets) {
    return switch (session.call(
        "GetVolumeGroupSnapshot", c -> c.getGroupSnapshot(group(handle), secrets))) {
      case DriverReply.Ok<CsiGroupSnapshot>(CsiGroupSnapshot found) ->
          new CheckResult.Valid<>(answer(handle.id(), found));
      case DriverReply.Refused<CsiGroupSnapshot> refused ->
          new CheckResult.Invalid<>(refused.text());
    };
  }

  private static GroupSnapshotHandle group(DataHandle handle) {
    return new GroupSnapshotHandle(handle.id(), handle.snapshots());
  }

  @Override
  public Optional<SnapshotAnswer> assumed(DataHandle handle) {
    return Optional.empty();
  }

  @Override
  public DriverReply<Done> delete(DataHandle handle, DriverSecrets secrets) {
    return session.call(
        "DeleteVolumeGroupSnapshot", c -> c.deleteGroupSnapshot(group(handle), secrets));
  }
}
