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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls GetCapacity and writes CSIStorageCapacity objects. Not thread-safe. */
public record CapacityPublisher(
    DriverSession session,
    CapacityScope scope,
    CapacityOwner owner,
    ClusterPorts ports,
    CapacityMemory memory) {
  // isAnswered: false if the API server did not answer
  record Problem(String message, boolean isAnswered) {}

  ReadResult<List<StorageCapacity>> list() throws InterruptedException {
    return ports.reader().list(Kind.STORAGE_CAPACITY, scope.namespace());
  }

  // refusedSegments: segments whose capacity the driver did not report; their objects stay
  record Publication(Optional<Problem> problem, Set<Map<String, String>> refusedSegments) {}

  Publication publish(
      String className,
      Optional<StorageClass> storageClass,
      CapacityObjects.CapacityComparison comparison)
      throws InterruptedException {
    List<Problem> problems = new ArrayList<>();
    for (StorageCapacity object : comparison.obsolete()) {
      toProblem(ports.writer().delete(Kind.STORAGE_CAPACITY, object.key(), object.meta().uid()))
          .ifPresent(problems::add);
    }
    Optional<Problem> ownerProblem = storageClass.isPresent() ? checkOwner() : Optional.empty();
    ownerProblem.ifPresent(problems::add);
    Set<Map<String, String>> refusedSegments = new HashSet<>();
    if (storageClass.isPresent() && ownerProblem.isEmpty()) {
      for (Map.Entry<Map<String, String>, @Nullable StorageCapacity> entry :
          findObjects(comparison).entrySet()) {
        Map<String, String> segment = entry.getKey();
        switch (getCapacity(storageClass.get(), segment)) {
          case DriverReply.Ok<AvailableCapacity>(AvailableCapacity capacity) ->
              write(className, segment, entry.getValue(), capacity).ifPresent(problems::add);
          case DriverReply.Refused<AvailableCapacity> _ -> refusedSegments.add(segment);
        }
      }
    }
    return new Publication(chooseReported(problems), Set.copyOf(refusedSegments));
  }

  // Returns the object of each segment, null for a missing one.
  private static Map<Map<String, String>, @Nullable StorageCapacity> findObjects(
      CapacityObjects.CapacityComparison comparison) {
    Map<Map<String, String>, @Nullable StorageCapacity> objectsBySegment =
        new HashMap<>(comparison.current());
    comparison.missingSegments().forEach(segment -> objectsBySegment.put(segment, null));
    return objectsBySegment;
  }

  private DriverReply<AvailableCapacity> getCapacity(
      StorageClass storageClass, Map<String, String> segment) {
    String className = storageClass.meta().name();
    DriverReply<AvailableCapacity> reply =
        session.call("GetCapacity", c -> c.getCapacity(storageClass.parameters(), segment));
    switch (reply) {
      case DriverReply.Ok<AvailableCapacity> _ -> memory.forgetRefusal(className, segment);
      case DriverReply.Refused<AvailableCapacity> refusal -> {
        if (memory.recordRefusal(className, segment, refusal.code())) {
          new SessionReporter(session.driver())
              .logUnknownCapacity(className, segment, refusal.text());
        }
      }
    }
    return reply;
  }

  private Optional<Problem> checkOwner() throws InterruptedException {
    return switch (owner.readReference()) {
      case CheckResult.Valid<?> _ -> Optional.empty();
      case CheckResult.Invalid<?>(String reason) -> Optional.of(new Problem(reason, true));
      case CheckResult.Unknown<?>(String reason) -> Optional.of(new Problem(reason, false));
    };
  }

  private static Optional<Problem> chooseReported(List<Problem> problems) {
    return problems.stream()
        .filter(Problem::isAnswered)
        .findFirst()
        .or(() -> problems.stream().findFirst());
  }

  private Optional<Problem> write(
      String className,
      Map<String, String> segment,
      @Nullable StorageCapacity object,
      AvailableCapacity capacity)
      throws InterruptedException {
    if (object == null) {
      String name = scope.objectName(className, segment);
      Document body =
          setCapacity(Document.empty(), capacity)
              .set(name, "metadata", "name")
              .set(scope.namespace(), "metadata", "namespace")
              .set(session.driver(), "metadata", "labels", CapacityObjects.DRIVER_LABEL)
              .set(scope.manager(), "metadata", "labels", CapacityObjects.MANAGED_BY_LABEL)
              .set(new HashMap<>(segment), "nodeTopology", "matchLabels")
              .set(className, "storageClassName");
      readOwnReference()
          .ifPresent(reference -> body.set(List.of(reference), "metadata", "ownerReferences"));
      return toProblem(
          ports
              .writer()
              .create(Kind.STORAGE_CAPACITY, ObjectKey.of(scope.namespace(), name), body));
    }
    Optional<List<Map<String, Object>>> owners = computeOwners(object);
    if (owners.isEmpty()
        && CapacityObjects.isUpToDate(
            object, capacity.availableBytes(), capacity.maximumVolumeBytes())) {
      return Optional.empty();
    }
    Document patch = setCapacity(Document.patchOf(object.meta()), capacity);
    owners.ifPresent(references -> patch.set(references, "metadata", "ownerReferences"));
    return toProblem(ports.writer().patch(Kind.STORAGE_CAPACITY, object.key(), patch));
  }

  private Optional<Map<String, Object>> readOwnReference() throws InterruptedException {
    return owner.readReference()
            instanceof
            CheckResult.Valid<Optional<Map<String, Object>>>(
                Optional<Map<String, Object>> reference)
        ? reference
        : Optional.empty();
  }

  // Returns the object's new owners; empty if they are unchanged.
  private Optional<List<Map<String, Object>>> computeOwners(StorageCapacity object)
      throws InterruptedException {
    Optional<Map<String, Object>> ownReference = readOwnReference();
    if (ownReference.isEmpty() || memory.isOwned(object.meta().uid())) {
      return Optional.empty();
    }
    if (!(ports.reader().readWhole(Kind.STORAGE_CAPACITY, object.key())
        instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> document))) {
      return Optional.empty(); // retried at the next update
    }
    Optional<List<Map<String, Object>>> owners =
        CapacityOwner.addReference(ownReference.get(), document);
    if (owners.isEmpty()) {
      memory.recordOwned(object.meta().uid());
    }
    return owners;
  }

  private static Document setCapacity(Document body, AvailableCapacity capacity) {
    body.set(Long.toString(capacity.availableBytes()), "capacity");
    return body.set(
        capacity.maximumVolumeBytes() < 0 ? null : Long.toString(capacity.maximumVolumeBytes()),
        "maximumVolumeSize");
  }

  private static Optional<Problem> toProblem(WriteResult<?> result) {
    return switch (result) {
      case WriteResult.Written<?> _, WriteResult.Gone<?> _ -> Optional.empty();
      case WriteResult.Conflict<?>(String message) -> Optional.of(new Problem(message, true));
      case WriteResult.Rejected<?>(int code, String message) ->
          Optional.of(new Problem("the server refused it (" + code + "): " + message, true));
      case WriteResult.Unreachable<?>(String message) -> Optional.of(new Problem(message, false));
    };
  }
}
