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
  public Optional<ClassFacts> findClass(String name) {
    return classes
        .get(ObjectKey.cluster(name))
        .map(groupClass -> new ClassFacts(groupClass.driver(), groupClass.parameters()));
  }

  @Override
  public DriverReply<SnapshotAnswer> create(ContentView content, CreationRequest request) {
    CreateGroupSnapshot call =
        new CreateGroupSnapshot(
            request.name(), content.volumes(), request.parameters(), request.secrets());
    return switch (session.call("CreateVolumeGroupSnapshot", c -> c.createGroupSnapshot(call))) {
      case DriverReply.Ok<CsiGroupSnapshot>(CsiGroupSnapshot group) ->
          new DriverReply.Ok<>(toAnswer(group.id(), group));
      case DriverReply.Refused<CsiGroupSnapshot> refusal ->
          new DriverReply.Refused<>(refusal.code(), refusal.message());
    };
  }

  private static SnapshotAnswer toAnswer(String id, CsiGroupSnapshot group) {
    return new SnapshotAnswer(
        id, group.created(), group.ready(), group.snapshots(), ContentRules.findFlaw(group));
  }

  // A driver may omit the id of the group that it was asked for.
  @Override
  public CheckResult<SnapshotAnswer> find(DataHandle handle, DriverSecrets secrets) {
    return switch (session.call(
        "GetVolumeGroupSnapshot", c -> c.getGroupSnapshot(toHandle(handle), secrets))) {
      case DriverReply.Ok<CsiGroupSnapshot>(CsiGroupSnapshot group) ->
          new CheckResult.Valid<>(toAnswer(handle.id(), group));
      case DriverReply.Refused<CsiGroupSnapshot> refusal ->
          new CheckResult.Invalid<>(refusal.text());
    };
  }

  private static GroupSnapshotHandle toHandle(DataHandle handle) {
    return new GroupSnapshotHandle(handle.id(), handle.snapshots());
  }

  @Override
  public Optional<SnapshotAnswer> assumeAnswer(DataHandle handle) {
    return Optional.empty();
  }

  @Override
  public DriverReply<Done> delete(DataHandle handle, DriverSecrets secrets) {
    return session.call(
        "DeleteVolumeGroupSnapshot", c -> c.deleteGroupSnapshot(toHandle(handle), secrets));
  }
}
