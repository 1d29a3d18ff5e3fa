package dev.mooring.csi.execute;

import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.decide.DataHandle;
import dev.mooring.csi.decide.TopologyRules;
import dev.mooring.csi.execute.DriverSnapshots.ClassFacts;
import dev.mooring.csi.execute.DriverSnapshots.CreationRequest;
import dev.mooring.csi.execute.DriverSnapshots.SnapshotAnswer;
import dev.mooring.informer.Informer;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotClass;
import dev.mooring.spi.csi.CsiConnection.CreateSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Snapshots of single volumes.
 *
 * @param hasTopology whether classes may restrict the topology of their snapshots
 */
public record SingleSnapshots(
    DriverSession session, Informer<SnapshotClass> classes, boolean hasTopology)
    implements DriverSnapshots {
  @Override
  public Optional<ClassFacts> findClass(String name) {
    return classes
        .get(ObjectKey.cluster(name))
        .map(snapshotClass -> new ClassFacts(snapshotClass.driver(), snapshotClass.parameters()));
  }

  @Override
  public DriverReply<SnapshotAnswer> create(ContentView content, CreationRequest request) {
    CreateSnapshot call =
        new CreateSnapshot(
            request.name(),
            content.volumes().getFirst(),
            request.parameters(),
            request.secrets(),
            findTopologies(content));
    return switch (session.call("CreateSnapshot", c -> c.createSnapshot(call))) {
      case DriverReply.Ok<CsiSnapshot>(CsiSnapshot snapshot) ->
          new DriverReply.Ok<>(toAnswer(snapshot.id(), snapshot));
      case DriverReply.Refused<CsiSnapshot> refusal ->
          new DriverReply.Refused<>(refusal.code(), refusal.message());
    };
  }

  private List<Map<String, String>> findTopologies(ContentView content) {
    return canRestrict()
        ? classes
            .get(ObjectKey.cluster(content.className()))
            .map(snapshotClass -> TopologyRules.flatten(snapshotClass.allowedTopologies()))
            .orElse(List.of())
        : List.of();
  }

  private boolean canRestrict() {
    return hasTopology
        && session
            .identity()
            .filter(identity -> identity.can(DriverCapability.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS))
            .isPresent();
  }

  @Override
  public List<Map<String, String>> topologies(SnapshotAnswer answer) {
    return canRestrict() ? answer.snapshots().getFirst().topologies() : List.of();
  }

  private static SnapshotAnswer toAnswer(String id, CsiSnapshot snapshot) {
    return new SnapshotAnswer(
        id,
        snapshot.created(),
        snapshot.ready(),
        List.of(snapshot),
        id.isEmpty() ? "created a snapshot without an id" : "");
  }

  // The handle identifies the snapshot: a driver that ignores it in the request answers with
  // others.
  @Override
  public CheckResult<SnapshotAnswer> find(DataHandle handle, DriverSecrets secrets) {
    return switch (session.call("ListSnapshots", c -> c.getSnapshot(handle.id(), secrets))) {
      case DriverReply.Ok<Optional<CsiSnapshot>>(Optional<CsiSnapshot> snapshot)
          when snapshot.isPresent() ->
          new CheckResult.Valid<>(toAnswer(handle.id(), snapshot.get()));
      case DriverReply.Ok<Optional<CsiSnapshot>> _ ->
          new CheckResult.Invalid<>("can not find snapshot for snapshotID " + handle.id());
      case DriverReply.Refused<Optional<CsiSnapshot>> refusal ->
          new CheckResult.Invalid<>(refusal.text());
    };
  }

  // A driver that cannot list snapshots is assumed to have them.
  @Override
  public Optional<SnapshotAnswer> assumeAnswer(DataHandle handle) {
    return Optional.of(toAnswer(handle.id(), new CsiSnapshot(handle.id(), 0, 0, true)));
  }

  @Override
  public DriverReply<Done> delete(DataHandle handle, DriverSecrets secrets) {
    return session.call("DeleteSnapshot", c -> c.deleteSnapshot(handle.id(), secrets));
  }
}
