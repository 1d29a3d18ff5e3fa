package dev.mooring.csi;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.Capacities;
import dev.mooring.csi.execute.CapacityOwner;
import dev.mooring.csi.execute.CapacityReports;
import dev.mooring.csi.execute.DriverNodes;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.observe.Due;
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
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
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
 * Publishes how much room a driver's classes have where, for the scheduler. A key is a class; "" is
 * for finding classes that are gone. Looks again at every period, after nodes and classes have
 * changed, and at once where a volume was made, destroyed or refused: for every class, as classes
 * share what there is.
 */
final class CapacityController {
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration AT_ONCE = Duration.ofMillis(100); // with what else changes then
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
  private final CapacityReports reports;
  private final WorkQueue<String> queue;
  private final Due due;
  private final Map<String, CapacityCount> counts = new ConcurrentHashMap<>(); // by class
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
    this.manager = config.onlyNode().map(Capacities::managerOn).orElse(Capacities.MANAGER);
    this.reader = ports.reader();
    this.reports =
        new CapacityReports(
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
    this.due = new Due(capacity.period());
    this.queue =
        new WorkQueue<>(name, time, new Backoff<>(config.firstRetry(), config.lastRetry()));
  }

  /** What it is made of, to be run once. */
  ControllerSpec spec() {
    return ControllerSpec.named(name)
        .reads(classes, nodes, csiNodes)
        .once(() -> session.onReady(() -> queue.add(ALL)))
        .on(classes, change -> everywhere(change.key().name()))
        .on(nodes, this::nodeChanged)
        .on(csiNodes, change -> queue.addAfter(ALL, SOON))
        .loop(queue, this::sync, 1)
        .build();
  }

  private void everywhere(String className) {
    due.everywhere(className);
    queue.add(className);
  }

  /** There may be more or less room now. */
  void changed(Capacities.Change change) {
    Optional<Set<Map<String, String>>> touched =
        Capacities.touched(change, driverNodes.of(session.driver()));
    for (StorageClass storageClass : classes.snapshot().all()) {
      boolean concerns =
          !(change instanceof Capacities.Change.OfClass(String name))
              || name.equals(storageClass.meta().name());
      if (concerns && isPublished(storageClass)) {
        due.at(storageClass.meta().name(), touched);
        queue.addAfter(storageClass.meta().name(), AT_ONCE);
      }
    }
  }

  private boolean isPublished(StorageClass storageClass) {
    return Capacities.isPublished(storageClass, session.driver(), config.immediateToo());
  }

  private void nodeChanged(Change<Node> change) {
    if (!(change instanceof Change.Updated<Node>(Node before, Node now))
        || !before.meta().labels().equals(now.meta().labels())) {
      queue.addAfter(ALL, SOON);
    }
  }

  private Outcome sync(String className) throws InterruptedException {
    Optional<Identity> identity = session.identity();
    if (identity.isEmpty() || !identity.get().can(Ability.GET_CAPACITY)) {
      return Outcome.SETTLED; // woken when it is ready
    }
    return switch (reader.list(Kind.STORAGE_CAPACITY, config.namespace())) {
      case ReadResult.Found<List<StorageCapacity>>(List<StorageCapacity> objects) -> {
        List<StorageCapacity> ours =
            objects.stream().filter(o -> Capacities.isOurs(o, session.driver(), manager)).toList();
        reports.keepOnly(ours);
        yield className.equals(ALL) ? every(ours) : one(className, ours, identity.get());
      }
      case ReadResult.Absent<List<StorageCapacity>> _ -> Outcome.SETTLED;
      case ReadResult.Failed<List<StorageCapacity>>(String message) ->
          new Outcome.Unanswered("listing CSIStorageCapacities: " + message);
    };
  }

  private Outcome every(List<StorageCapacity> ours) {
    ours.forEach(o -> everywhere(o.storageClass()));
    classes.snapshot().all().forEach(c -> everywhere(c.meta().name()));
    return Outcome.SETTLED;
  }

  private Outcome one(String className, List<StorageCapacity> ours, Identity identity)
      throws InterruptedException {
    List<StorageCapacity> existing =
        ours.stream().filter(o -> o.storageClass().equals(className)).toList();
    Optional<StorageClass> storageClass =
        classes.get(ObjectKey.cluster(className)).filter(this::isPublished);
    List<Map<String, String>> segments =
        storageClass.isEmpty()
            ? List.of()
            : Capacities.segments(
                driverNodes.of(session.driver()).values(),
                identity.can(Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS));
    Capacities.Standing all = Capacities.compare(segments, existing);
    int wanted = segments.size();
    counts.put(className, new CapacityCount(wanted, all.kept().size(), all.obsolete().size()));
    Optional<Set<Map<String, String>>> touched = due.take(className, time.nanos());
    Optional<CapacityReports.Problem> problem =
        reports.publish(className, storageClass, touched.map(all::at).orElse(all));
    if (problem.isPresent()) {
      due.everywhere(className);
      String why = "capacity of class " + className + ": " + problem.get().message();
      return problem.get().answered()
          ? new Outcome.Retry(new Failure.Unreachable(why))
          : new Outcome.Unanswered(why);
    }
    counts.put(className, new CapacityCount(wanted, wanted, 0));
    if (storageClass.isEmpty()) {
      counts.remove(className);
      due.forget(className);
      return Outcome.SETTLED;
    }
    return segments.isEmpty()
        ? Outcome.SETTLED
        : new Outcome.CheckAgain(due.left(className, time.nanos()));
  }

  /** How many objects there are. */
  CapacityCount count() {
    return counts.values().stream().reduce(CapacityCount.NONE, CapacityCount::plus);
  }
}
