package dev.mooring.csi.execute;

import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CapacityObjectCount;
import dev.mooring.csi.decide.CapacityObjects;
import dev.mooring.csi.decide.CapacityObjects.CapacityComparison;
import dev.mooring.csi.decide.CapacityObjects.CapacityScope;
import dev.mooring.csi.state.CapacitySchedule;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.informer.Informer;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.workqueue.WorkQueue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Publishes the capacity of a driver's classes by segment, for the scheduler. Runs on one thread.
 */
public record CapacityReconciler(
    CapacityPublisher publisher,
    DriverNodes nodes,
    Informer<StorageClass> classes,
    CapacitySchedule schedule,
    WorkQueue<String> queue) {
  /**
   * @param className "" to find deleted classes
   */
  public Outcome sync(String className) throws InterruptedException {
    Optional<DriverIdentity> identity = publisher.session().identity();
    if (identity.isEmpty() || !identity.get().can(DriverCapability.GET_CAPACITY)) {
      return Outcome.SETTLED; // requeued when the driver is ready
    }
    CapacityScope scope = publisher.scope();
    return switch (publisher.list()) {
      case ReadResult.Found<List<StorageCapacity>>(List<StorageCapacity> objects) -> {
        List<StorageCapacity> ownObjects = objects.stream().filter(scope::isOurs).toList();
        publisher.memory().retainObjects(ownObjects);
        yield className.isEmpty()
            ? markDeletedClasses(ownObjects)
            : publish(className, ownObjects, identity.get());
      }
      case ReadResult.Absent<List<StorageCapacity>> _ -> Outcome.SETTLED;
      case ReadResult.Failed<List<StorageCapacity>>(String message) ->
          new Outcome.Unanswered("listing CSIStorageCapacities: " + message);
    };
  }

  private Outcome markDeletedClasses(List<StorageCapacity> ownObjects) {
    ownObjects.forEach(object -> markAll(object.storageClass()));
    classes.snapshot().objects().forEach(storageClass -> markAll(storageClass.meta().name()));
    return Outcome.SETTLED;
  }

  private void markAll(String className) {
    schedule.markAll(className);
    queue.add(className);
  }

  private Outcome publish(
      String className, List<StorageCapacity> ownObjects, DriverIdentity identity)
      throws InterruptedException {
    List<StorageCapacity> existing =
        ownObjects.stream().filter(o -> o.storageClass().equals(className)).toList();
    Optional<StorageClass> storageClass =
        classes.get(ObjectKey.cluster(className)).filter(publisher.scope()::isPublished);
    List<Map<String, String>> segments =
        storageClass.isEmpty()
            ? List.of()
            : CapacityObjects.computeSegments(
                nodes.byName().values(),
                identity.can(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS));
    CapacityComparison comparison = CapacityObjects.compare(segments, existing);
    int goal = segments.size();
    CapacityObjectCount count =
        new CapacityObjectCount(goal, comparison.current().size(), comparison.obsolete().size());
    publisher.memory().setCount(className, count);
    Optional<Set<Map<String, String>>> segmentsToUpdate = schedule.takeSegments(className, nanos());
    CapacityComparison update = segmentsToUpdate.map(comparison::retainSegments).orElse(comparison);
    CapacityPublisher.Publication publication = publisher.publish(className, storageClass, update);
    if (publication.problem().isPresent()) {
      schedule.markAll(className);
      return toOutcome(className, publication.problem().get());
    }
    int missing = countMissing(comparison, publication.refusedSegments());
    publisher.memory().setCount(className, new CapacityObjectCount(goal, goal - missing, 0));
    if (storageClass.isEmpty()) {
      publisher.memory().forgetClass(className);
      schedule.forget(className);
      return Outcome.SETTLED;
    }
    return segments.isEmpty()
        ? Outcome.SETTLED
        : new Outcome.CheckAgain(
            schedule.completeUpdate(className, publication.refusedSegments(), nanos()));
  }

  private static Outcome toOutcome(String className, CapacityPublisher.Problem problem) {
    String message = "capacity of class " + className + ": " + problem.message();
    return problem.isAnswered()
        ? new Outcome.Retry(new Failure.Unreachable(message))
        : new Outcome.Unanswered(message);
  }

  private static int countMissing(
      CapacityComparison comparison, Set<Map<String, String>> refusedSegments) {
    return Math.toIntExact(
        comparison.missingSegments().stream().filter(refusedSegments::contains).count());
  }

  private long nanos() {
    return publisher.ports().time().nanos();
  }
}
