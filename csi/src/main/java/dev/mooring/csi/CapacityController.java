package dev.mooring.csi;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CapacityObjects;
import dev.mooring.csi.execute.CapacityOwner;
import dev.mooring.csi.execute.CapacityPublisher;
import dev.mooring.csi.execute.DriverNodes;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.observe.CapacitySchedule;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Publishes the capacity of a driver's classes by segment, for the scheduler. A key is a class
 * name; "" means the search for deleted classes. Runs periodically, after changes of nodes and
 * classes, and soon after a volume was created, deleted or refused. Such a change concerns every
 * class, because classes share storage.
 */
final class CapacityController {
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration BATCH_DELAY =
      Duration.ofMillis(100); // collects simultaneous changes
  private static final String ALL = "";

  private final String name;
  private final DriverSession session;
  private final CsiConfig.Capacity config;
  private final Informer<StorageClass> classes;
  private final Informer<Node> nodes;
  private final Informer<CsiNode> csiNodes;
  private final DriverNodes driverNodes;
  private final String manager;
  private final LiveReader reader;
  private final CapacityPublisher publisher;
  private final WorkQueue<String> queue;
  private final CapacitySchedule due;
  private final Map<String, CapacityObjectCount> counts = new ConcurrentHashMap<>(); // by class
  private final Time time;

  CapacityController(
      DriverSession session,
      CsiConfig config,
      CsiConfig.Capacity capacity,
      SharedInformers informers,
      ClusterPorts ports) {
    this.name = "csi-capacity-" + session.driver();
    this.session = session;
    this.config = capacity;
    this.classes = informers.of(Kind.STORAGE_CLASS);
    this.nodes = informers.of(Kind.NODE);
    this.csiNodes = informers.of(Kind.CSI_NODE);
    this.driverNodes = new DriverNodes(csiNodes, nodes, config.onlyNode());
    this.manager =
        config.onlyNode().map(CapacityObjects::managerOn).orElse(CapacityObjects.MANAGER);
    this.reader = ports.reader();
    this.publisher =
        new CapacityPublisher(
            session,
            manager,
            capacity.namespace(),
            new CapacityOwner(
                ports.reader(),
                capacity.namespace(),
                capacity.owner().pod(),
                capacity.owner().level()),
            ports);
    this.time = ports.time();
    this.due = new CapacitySchedule(capacity.period());
    this.queue =
        new WorkQueue<>(name, time, new Backoff<>(config.firstRetry(), config.lastRetry()));
  }

  ControllerSpec spec() {
    return ControllerSpec.named(name)
        .reads(classes, nodes, csiNodes)
        .once(() -> session.onReady(() -> queue.add(ALL)))
        .on(classes, change -> markAll(change.key().name()))
        .on(nodes, this::nodeChanged)
        .on(csiNodes, change -> queue.addAfter(ALL, SOON))
        .loop(queue, this::sync, 1)
        .build();
  }

  private void markAll(String className) {
    due.markAll(className);
    queue.add(className);
  }

  void capacityChanged(CapacityObjects.CapacityChange change) {
    Optional<Set<Map<String, String>>> segmentsToUpdate =
        CapacityObjects.affectedSegments(change, driverNodes.of(session.driver()));
    for (StorageClass storageClass : classes.snapshot().all()) {
      boolean isConcerned =
          !(change instanceof CapacityObjects.CapacityChange.OfClass(String name))
              || name.equals(storageClass.meta().name());
      if (isConcerned && isPublished(storageClass)) {
        due.mark(storageClass.meta().name(), segmentsToUpdate);
        queue.addAfter(storageClass.meta().name(), BATCH_DELAY);
      }
    }
  }

  private boolean isPublished(StorageClass storageClass) {
    return CapacityObjects.isPublished(storageClass, session.driver(), config.immediateToo());
  }

  private void nodeChanged(Change<Node> change) {
    if (!(change instanceof Change.Updated<Node>(Node before, Node now))
        || !before.meta().labels().equals(now.meta().labels())) {
      queue.addAfter(ALL, SOON);
    }
  }

  private Outcome sync(String className) throws InterruptedException {
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty() || !identity.get().can(DriverCapability.GET_CAPACITY)) {
      return Outcome.SETTLED; // requeued when the driver is ready
    }
    return switch (reader.list(Kind.STORAGE_CAPACITY, config.namespace())) {
      case ReadResult.Found<List<StorageCapacity>>(List<StorageCapacity> objects) -> {
        List<StorageCapacity> ours =
            objects.stream()
                .filter(o -> CapacityObjects.isOurs(o, session.driver(), manager))
                .toList();
        publisher.keepOnly(ours);
        yield className.equals(ALL)
            ? markDeletedClasses(ours)
            : publish(className, ours, identity.get());
      }
      case ReadResult.Absent<List<StorageCapacity>> _ -> Outcome.SETTLED;
      case ReadResult.Failed<List<StorageCapacity>>(String message) ->
          new Outcome.Unanswered("listing CSIStorageCapacities: " + message);
    };
  }

  private Outcome markDeletedClasses(List<StorageCapacity> ours) {
    ours.forEach(o -> markAll(o.storageClass()));
    classes.snapshot().all().forEach(c -> markAll(c.meta().name()));
    return Outcome.SETTLED;
  }

  private Outcome publish(String className, List<StorageCapacity> ours, DriverIdentity identity)
      throws InterruptedException {
    List<StorageCapacity> existing =
        ours.stream().filter(o -> o.storageClass().equals(className)).toList();
    Optional<StorageClass> storageClass =
        classes.get(ObjectKey.cluster(className)).filter(this::isPublished);
    List<Map<String, String>> segments =
        storageClass.isEmpty()
            ? List.of()
            : CapacityObjects.segments(
                driverNodes.of(session.driver()).values(),
                identity.can(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS));
    CapacityObjects.CapacityComparison all = CapacityObjects.compare(segments, existing);
    int expected = segments.size();
    counts.put(
        className, new CapacityObjectCount(expected, all.kept().size(), all.obsolete().size()));
    Optional<Set<Map<String, String>>> segmentsToUpdate = due.take(className, time.nanos());
    Optional<CapacityPublisher.Problem> problem =
        publisher.publish(
            className, storageClass, segmentsToUpdate.map(all::retainSegments).orElse(all));
    if (problem.isPresent()) {
      due.markAll(className);
      String why = "capacity of class " + className + ": " + problem.get().message();
      return problem.get().answered()
          ? new Outcome.Retry(new Failure.Unreachable(why))
          : new Outcome.Unanswered(why);
    }
    counts.put(className, new CapacityObjectCount(expected, expected, 0));
    if (storageClass.isEmpty()) {
      counts.remove(className);
      due.forget(className);
      return Outcome.SETTLED;
    }
    return segments.isEmpty()
        ? Outcome.SETTLED
        : new Outcome.CheckAgain(due.untilFullUpdate(className, time.nanos()));
  }

  CapacityObjectCount count() {
    return counts.values().stream().reduce(CapacityObjectCount.NONE, CapacityObjectCount::plus);
  }
}
