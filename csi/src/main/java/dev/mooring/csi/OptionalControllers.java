package dev.mooring.csi;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.decide.CapacityObjectCount;
import dev.mooring.csi.decide.CapacityObjects;
import dev.mooring.csi.decide.CapacityObjects.CapacityScope;
import dev.mooring.csi.decide.ContentScope;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.decide.OutageRules;
import dev.mooring.csi.execute.CapacityOwner;
import dev.mooring.csi.execute.CapacityPublisher;
import dev.mooring.csi.execute.CapacityReconciler;
import dev.mooring.csi.execute.ContentDeletion;
import dev.mooring.csi.execute.ContentRequests;
import dev.mooring.csi.execute.ContentStatusWriter;
import dev.mooring.csi.execute.DeletionAdmission;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.GroupSnapshots;
import dev.mooring.csi.execute.OrphanMonitor;
import dev.mooring.csi.execute.OrphanReporter;
import dev.mooring.csi.execute.OutageMonitor;
import dev.mooring.csi.execute.RetryPolicy;
import dev.mooring.csi.execute.SingleSnapshots;
import dev.mooring.csi.execute.SnapshotReconciler;
import dev.mooring.csi.observe.CapacityEventHandlers;
import dev.mooring.csi.observe.ContentEventHandlers;
import dev.mooring.csi.observe.OrphanEventHandlers;
import dev.mooring.csi.state.CapacityMemory;
import dev.mooring.csi.state.CapacitySchedule;
import dev.mooring.csi.state.ContentMemory;
import dev.mooring.csi.state.ContentTwins;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.csi.state.OrphanMemory;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Declares controllers of one driver that are off by default: capacity and snapshots. */
final class OptionalControllers {
  private final CsiConfig config;
  private final DriverSession session;
  private final SharedInformers informers;
  private final ClusterPorts ports;
  private final OrphanMemory orphans;
  private final DeletionBreaker breaker;
  private final CapacityMemory capacityMemory = new CapacityMemory();

  OptionalControllers(
      CsiConfig config,
      DriverSession session,
      SharedInformers informers,
      ClusterPorts ports,
      DeletionBreaker breaker) {
    this.config = config;
    this.session = session;
    this.informers = informers;
    this.ports = ports;
    this.breaker = breaker;
    this.orphans = new OrphanMemory(config.listing().doctorPeriod().isPositive());
  }

  ControllerSpec.Builder useGrants(
      String name, ControllerSpec.Builder spec, Consumer<Change<ReferenceGrant>> handler) {
    if (!config.sources().acrossNamespaces()) {
      return spec;
    }
    Informer<ReferenceGrant> grants = informers.of(ReferenceGrant.KIND);
    return spec.uses("data sources in other namespaces, part of " + name, grants)
        .addChangeHandler(grants, handler);
  }

  OrphanMemory orphans() {
    return orphans;
  }

  // empty if the search is off
  Optional<ControllerSpec> orphanSpec() {
    Duration period = config.listing().doctorPeriod();
    if (period.isZero()) {
      return Optional.empty();
    }
    WorkQueue<String> queue = new WorkQueue<>("csi-doctor-" + session.driver(), ports.time());
    Informer<Volume> volumes = informers.of(Kind.VOLUME);
    Informer<StorageClass> classes = informers.of(Kind.STORAGE_CLASS);
    OrphanMonitor monitor =
        new OrphanMonitor(
            session,
            informers,
            ports.reader(),
            new OrphanReporter(ports.events(), session.driver(), classes),
            orphans,
            config.listing().maxEntries());
    ControllerSpec.Builder spec =
        ControllerSpec.builder(queue.name())
            .reads(
                volumes,
                classes,
                informers.of(Kind.CLAIM),
                informers.of(Kind.CSI_NODE),
                informers.of(Kind.POD))
            .addChangeHandler(
                volumes, new OrphanEventHandlers(session.driver(), orphans)::volumeChanged);
    if (config.snapshots().isPresent()) {
      spec.uses(
          "sources of snapshots, part of " + queue.name(), informers.of(Kind.SNAPSHOT_CONTENT));
    }
    return Optional.of(
        spec.patrol(
                queue,
                driverName -> {
                  monitor.check();
                  return new Outcome.CheckAgain(period);
                })
            .once(() -> queue.add(session.driver()))
            .build());
  }

  ControllerSpec outageSpec() {
    Informer<Claim> claims = informers.of(Kind.CLAIM);
    Informer<Attachment> attachments = informers.of(Kind.ATTACHMENT);
    OutageMonitor monitor =
        new OutageMonitor(
            session,
            new OutageRules(session.driver(), config.onlyNode()),
            new OutageMonitor.WaitingCaches(claims, attachments),
            ports.events(),
            ports.time());
    return ControllerSpec.builder("csi-outage-" + session.driver())
        .reads(claims, attachments)
        .repeat(OutageMonitor.PERIOD, monitor::check)
        .build();
  }

  private <K> Backoff<K> backoff() {
    return new Backoff<>(config.calls().minRetryDelay(), config.calls().maxRetryDelay());
  }

  CapacityEventHandlers capacityHandlers(CsiConfig.Capacity capacity, DriverNodes nodes) {
    String manager =
        config.onlyNode().map(CapacityObjects::managerLabel).orElse(CapacityObjects.MANAGER);
    return new CapacityEventHandlers(
        new CapacityScope(
            session.driver(), manager, capacity.namespace(), capacity.includesImmediate()),
        informers.of(Kind.STORAGE_CLASS),
        nodes,
        new CapacitySchedule(capacity.period(), backoff()),
        new WorkQueue<>("csi-capacity-" + session.driver(), ports.time(), backoff()));
  }

  ControllerSpec capacitySpec(CsiConfig.Capacity capacity, CapacityEventHandlers handlers) {
    CapacityOwner owner =
        new CapacityOwner(
            ports.reader(), capacity.namespace(), capacity.owner().pod(), capacity.owner().level());
    CapacityReconciler reconciler =
        new CapacityReconciler(
            new CapacityPublisher(session, handlers.scope(), owner, ports, capacityMemory),
            handlers.nodes(),
            handlers.classes(),
            handlers.schedule(),
            handlers.queue());
    return handlers
        .declare(ControllerSpec.builder(handlers.queue().name()))
        .once(() -> session.onReady(handlers::driverIsReady))
        .loop(handlers.queue(), reconciler::sync, 1)
        .build();
  }

  CapacityObjectCount countObjects() {
    return capacityMemory.sumCounts();
  }

  List<ControllerSpec> snapshotterSpecs(CsiConfig.Snapshots snapshots) {
    ControllerSpec snapshotSpec = snapshotterSpec(snapshots.names());
    return snapshots
        .groups()
        .map(names -> List.of(snapshotSpec, groupSnapshotterSpec(names)))
        .orElse(List.of(snapshotSpec));
  }

  ControllerSpec snapshotterSpec(DriverNames names) {
    Informer<SnapshotClass> classes = informers.of(Kind.SNAPSHOT_CLASS);
    return contentSpec(
        "csi-snapshotter-",
        informers.of(Kind.SNAPSHOT_CONTENT),
        classes,
        new ContentRequests(
            new SingleSnapshots(session, classes, config.sources().snapshotTopology()),
            names,
            config.options().extraMetadata(),
            ports.reader()));
  }

  ControllerSpec groupSnapshotterSpec(DriverNames names) {
    Informer<GroupSnapshotClass> classes = informers.of(Kind.GROUP_SNAPSHOT_CLASS);
    return contentSpec(
        "csi-group-snapshotter-",
        informers.of(Kind.GROUP_SNAPSHOT_CONTENT),
        classes,
        new ContentRequests(
            new GroupSnapshots(session, classes),
            names,
            config.options().extraMetadata(),
            ports.reader()));
  }

  // Starts when the cluster serves the kinds.
  private <C extends Resource, S extends Resource> ControllerSpec contentSpec(
      String name, Informer<C> contents, Informer<S> classes, ContentRequests requests) {
    WorkQueue<ObjectKey> queue =
        WorkQueue.fair(
            name + session.driver(),
            ports.time(),
            backoff(),
            key ->
                contents
                    .get(key)
                    .map(content -> ContentView.of(content).owner().key().namespace())
                    .orElse(""));
    boolean servesGroups = config.snapshots().flatMap(CsiConfig.Snapshots::groups).isPresent();
    ContentTwins twins = new ContentTwins(informers, servesGroups);
    ContentMemory memory = new ContentMemory();
    SnapshotReconciler reconciler = createReconciler(requests, twins, memory);
    ContentScope scope = new ContentScope(config.onlyNode());
    ContentEventHandlers<C> handlers =
        new ContentEventHandlers<>(session.driver(), contents, twins, memory, queue);
    return ControllerSpec.builder(queue.name())
        .uses(queue.name(), classes, contents) // not every cluster serves the kinds
        .addHandler(contents, handlers::contentChanged)
        .addChangeHandler(classes, handlers::classChanged)
        .once(() -> session.onReady(handlers::driverIsReady))
        .loop(
            queue,
            key ->
                reconciler.sync(
                    contents.get(key).filter(scope::includes),
                    classes.isSynced() && contents.isSynced() && twins.areSynced()),
            config.calls().workers())
        .build();
  }

  SnapshotReconciler createReconciler(
      ContentRequests requests, ContentTwins twins, ContentMemory memory) {
    ContentStatusWriter statusWriter = new ContentStatusWriter(ports, session.driver(), memory);
    return new SnapshotReconciler(
        requests,
        new ContentDeletion(
            twins,
            requests,
            new DeletionAdmission(breaker, config.calls().minRetryDelay(), statusWriter)),
        new RetryPolicy(
            ports.time(), config.calls().minRetryDelay(), config.calls().maxRetryDelay()));
  }
}
