package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.CapacityObjects;
import dev.mooring.csi.decide.CapacityObjects.CapacityScope;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.state.CapacityMemory;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import dev.mooring.spi.csi.CsiConnection.AvailableCapacity;
import dev.mooring.spi.csi.DriverReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls GetCapacity and writes CSIStorageCapacity objects. Not thread-safe. */
public record CapacityPublisher(
    DriverSession session,
    CapacityScope scope,
    CapacityOwner owner,
    ClusterPorts ports,
    CapacityMemory memory) {
  // answered: false if the API server did not answer
  record Problem(String message, boolean answered) {}

  ReadResult<List<StorageCapacity>> list() throws InterruptedException {
    return ports.reader().list(Kind.STORAGE_CAPACITY, scope.namespace());
  }

  Optional<Problem> publish(
      String className,
      Optional<StorageClass> storageClass,
      CapacityObjects.CapacityComparison comparison)
      throws InterruptedException {
    List<Problem> problems = new ArrayList<>();
    for (StorageCapacity object : comparison.obsolete()) {
      problem(ports.writer().delete(Kind.STORAGE_CAPACITY, object.key(), object.meta().uid()))
          .ifPresent(problems::add);
    }
    if (storageClass.isPresent()) {
      Optional<Problem> unowned = ownerProblem();
      if (unowned.isPresent()) {
        problems.add(unowned.get());
        return worst(problems);
      }
      Map<Map<String, String>, @Nullable StorageCapacity> all = new HashMap<>(comparison.kept());
      comparison.missing().forEach(segment -> all.put(segment, null));
      for (Map.Entry<Map<String, String>, @Nullable StorageCapacity> entry : all.entrySet()) {
        DriverReply<AvailableCapacity> room =
            session.call(
                "GetCapacity", c -> c.getCapacity(storageClass.get().parameters(), entry.getKey()));
        switch (room) {
          case DriverReply.Ok<AvailableCapacity>(AvailableCapacity free) ->
              write(className, entry.getKey(), entry.getValue(), free).ifPresent(problems::add);
          case DriverReply.Refused<AvailableCapacity> refused ->
              problems.add(new Problem(refused.text(), true));
        }
      }
    }
    return worst(problems);
  }

  private Optional<Problem> ownerProblem() throws InterruptedException {
    return switch (owner.reference()) {
      case CheckResult.Valid<?> _ -> Optional.empty();
      case CheckResult.Invalid<?>(String why) -> Optional.of(new Problem(why, true));
      case CheckResult.Unknown<?>(String why) -> Optional.of(new Problem(why, false));
    };
  }

  private static Optional<Problem> worst(List<Problem> problems) {
    return problems.stream()
        .filter(Problem::answered)
        .findFirst()
        .or(() -> problems.stream().findFirst());
  }

  private Optional<Problem> write(
      String className,
      Map<String, String> segment,
      @Nullable StorageCapacity object,
      AvailableCapacity room)
      throws InterruptedException {
    if (object == null) {
      String name = scope.nameFor(className, segment);
      Document body =
          withCapacity(Document.empty(), room)
              .set(name, "metadata", "name")
              .set(scope.namespace(), "metadata", "namespace")
              .set(session.driver(), "metadata", "labels", CapacityObjects.DRIVER_LABEL)
              .set(scope.manager(), "metadata", "labels", CapacityObjects.MANAGED_BY_LABEL)
              .set(new HashMap<>(segment), "nodeTopology", "matchLabels")
              .set(className, "storageClassName");
      ours().ifPresent(ours -> body.set(List.of(ours), "metadata", "ownerReferences"));
      return problem(
          ports
              .writer()
              .create(Kind.STORAGE_CAPACITY, ObjectKey.of(scope.namespace(), name), body));
    }
    Optional<List<Map<String, Object>>> owners = ownersFor(object);
    if (owners.isEmpty()
        && CapacityObjects.isUpToDate(object, room.availableBytes(), room.maximumVolumeBytes())) {
      return Optional.empty();
    }
    Document patch = withCapacity(Document.patchOf(object.meta()), room);
    owners.ifPresent(all -> patch.set(all, "metadata", "ownerReferences"));
    return problem(ports.writer().patch(Kind.STORAGE_CAPACITY, object.key(), patch));
  }

  private Optional<Map<String, Object>> ours() throws InterruptedException {
    return owner.reference()
            instanceof
            CheckResult.Valid<Optional<Map<String, Object>>>(Optional<Map<String, Object>> found)
        ? found
        : Optional.empty();
  }

  // Returns the object's new owners; empty if they are unchanged.
  private Optional<List<Map<String, Object>>> ownersFor(StorageCapacity object)
      throws InterruptedException {
    Optional<Map<String, Object>> ours = ours();
    if (ours.isEmpty() || memory.isOwned(object.meta().uid())) {
      return Optional.empty();
    }
    if (!(ports.reader().readWhole(Kind.STORAGE_CAPACITY, object.key())
        instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> live))) {
      return Optional.empty(); // retried at the next update
    }
    Optional<List<Map<String, Object>>> owners = CapacityOwner.with(ours.get(), live);
    if (owners.isEmpty()) {
      memory.owned(object.meta().uid());
    }
    return owners;
  }

  private static Document withCapacity(Document body, AvailableCapacity room) {
    body.set(Long.toString(room.availableBytes()), "capacity");
    return body.set(
        room.maximumVolumeBytes() < 0 ? null : Long.toString(room.maximumVolumeBytes()),
        "maximumVolumeSize");
  }

  private static Optional<Problem> problem(WriteResult<?> result) {
    return switch (result) {
      case WriteResult.Written<?> _, WriteResult.Gone<?> _ -> Optional.empty();
      case WriteResult.Conflict<?>(String message) -> Optional.of(new Problem(message, true));
      case WriteResult.Rejected<?>(int code, String message) ->
          Optional.of(new Problem("the server refused it (" + code + "): " + message, true));
      case WriteResult.Unreachable<?>(String message) -> Optional.of(new Problem(message, false));
    };
  }
}
