package dev.mooring.csi;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.decide.AttachmentScope;
import dev.mooring.csi.decide.CapacityObjectCount;
import dev.mooring.csi.decide.CloneWork;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.ReporterNames;
import dev.mooring.csi.execute.AttachmentReconciler;
import dev.mooring.csi.execute.CapacityTracker;
import dev.mooring.csi.execute.CloneReconciler;
import dev.mooring.csi.execute.CreateRequests;
import dev.mooring.csi.execute.CsiVolumes;
import dev.mooring.csi.execute.DataSourceReader;
import dev.mooring.csi.execute.DriverFinalizers;
import dev.mooring.csi.execute.DriverReporter;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.FillSourceReader;
import dev.mooring.csi.execute.HealthReporter;
import dev.mooring.csi.execute.InputReader;
import dev.mooring.csi.execute.LocalNodeStorage;
import dev.mooring.csi.execute.NodeHealthMonitor;
import dev.mooring.csi.execute.ResizeReconciler;
import dev.mooring.csi.execute.SnapshotProtection;
import dev.mooring.csi.execute.SourceProtection;
import dev.mooring.csi.execute.SourceReleaser;
import dev.mooring.csi.execute.VolumeDeleter;
import dev.mooring.csi.execute.VolumeHealthMonitor;
import dev.mooring.csi.execute.VolumeModifier;
import dev.mooring.csi.execute.VolumePublisher;
import dev.mooring.csi.execute.VolumeResizer;
import dev.mooring.csi.observe.AttachmentEventHandlers;
import dev.mooring.csi.observe.CapacityEventHandlers;
import dev.mooring.csi.observe.CloneEventHandlers;
import dev.mooring.csi.observe.NodeEventHandlers;
import dev.mooring.csi.observe.ResizeEventHandlers;
import dev.mooring.csi.observe.SourceEventHandlers;
import dev.mooring.csi.state.AttachmentMemory;
import dev.mooring.csi.state.BlockedClaims;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.csi.state.HealthMemory;
import dev.mooring.csi.state.ModifyMemory;
import dev.mooring.csi.state.OrphanMemory;
import dev.mooring.csi.state.PendingClones;
import dev.mooring.csi.state.ResizeMemory;
import dev.mooring.csi.state.SourceGate;
import dev.mooring.csi.state.VolumeUsers;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Volume;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.NodeStorage;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.storage.StorageProvisioner;
import dev.mooring.storage.VolumeService;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Declares the controllers of one driver, and holds the state that they share. */
final class DriverBridge {
  private final CsiConfig config;
  private final CsiBridge.Driver driver;
  private final SharedInformers informers;
  private final ClusterPorts ports;
  private final OperationStats stats = new OperationStats();
  private final DriverSession session;
  private final DriverReporter reporter;
  private final DriverNodes nodes;
  private final BlockedClaims blockedClaims = new BlockedClaims();
  private final SourceProtection sourceProtection;
  private final OptionalControllers optionalControllers;
  private final HealthMemory healthMemory = new HealthMemory();

  DriverBridge(
      CsiBridge.Driver driver,
      ListWatch<PartialObject> snapshots,
      SharedInformers informers,
      ClusterPorts ports,
      DeletionBreaker breaker) {
    this.config = driver.config();
    this.driver = driver;
    this.informers = informers;
    this.ports = ports;
    this.session = new DriverSession(driver.name(), driver.connection(), ports.time(), stats);
    this.reporter = new DriverReporter(ports.events(), driver.name());
    this.optionalControllers = new OptionalControllers(config, session, informers, ports, breaker);
    this.nodes = new DriverNodes(driver.name(), informers, config.onlyNode());
    DriverFinalizers finalizers = new DriverFinalizers(ports.writer());
    this.sourceProtection =
        new SourceProtection(
            new SourceGate(),
            blockedClaims,
            finalizers,
            new SnapshotProtection(ports.reader(), finalizers, snapshots, reporter));
  }

  /**
   * Returns the controllers in start order. The session starts last and stops first, so that it
   * calls all listeners.
   *
   * @param provisioner creates and deletes the driver's volumes
   * @param host this machine's name
   */
  List<ControllerSpec> controllers(StorageProvisioner provisioner, String host) {
    Optional<CapacityEventHandlers> capacity =
        config.capacity().map(c -> optionalControllers.capacityHandlers(c, nodes));
    CsiVolumes volumes =
        createVolumes(
            capacity.map(events -> new CapacityTracker(ports.reader(), events::capacityChanged)));
    Optional<LocalNodeStorage> node =
        config
            .onlyNode()
            .map(name -> new LocalNodeStorage(session, name, nodes, ports.reader(), volumes));
    List<ControllerSpec> specs =
        new ArrayList<>(List.of(attacherSpec(), resizerSpec(node), clonesSpec(), sourcesSpec()));
    specs.add(volumeHealthSpec());
    capacity.ifPresent(handlers ->
        specs.add(optionalControllers.capacitySpec(config.capacity().orElseThrow(), handlers)));
    if (config.listing().reportsNodes()) {
      specs.add(nodeHealthSpec());
    }
    specs.addAll(snapshotterSpecs());
    optionalControllers.orphanSpec().ifPresent(specs::add);
    specs.add(provisioner.createController(describeStorage(volumes, node, host)));
    specs.addAll(List.of(optionalControllers.outageSpec(), sessionSpec()));
    return List.copyOf(specs);
  }

  private DataSourceReader dataSourceReader() {
    return new DataSourceReader(ports.reader(), config.sources().acrossNamespaces());
  }

  private CsiVolumes createVolumes(Optional<CapacityTracker> capacity) {
    InputReader inputs = new InputReader(ports.reader(), blockedClaims);
    return new CsiVolumes(
        session,
        new CreateRequests(nodes, config.options(), inputs, reporter),
        new FillSourceReader(
            session.driver(),
            config.options().claims().keepMode(),
            inputs,
            dataSourceReader(),
            sourceProtection,
            config.sources().snapshotTopology()),
        new VolumeDeleter(
            session,
            ports.reader(),
            informers.of(Kind.STORAGE_CLASS),
            attachmentsByVolume(),
            capacity,
            optionalControllers.orphans()),
        createIdentityTag() + config.onlyNode().map(n -> "-" + n).orElse(""));
  }

  private Informer<Attachment> attachmentsByVolume() {
    return informers.of(Kind.ATTACHMENT, AttachmentIndex.BY_VOLUME);
  }

  // Identity of the provisioner in volumes' attributes. It differs at every start, like that of
  // external-provisioner.
  private String createIdentityTag() {
    String random = UUID.randomUUID().toString().substring(0, 4);
    return "%s-%s-%s".formatted(ports.time().now().toEpochMilli(), random, session.driver());
  }

  private ProvisionedStorage describeStorage(
      VolumeService volumes, Optional<LocalNodeStorage> node, String host) {
    return new ProvisionedStorage(
        "csi-provisioner-" + session.driver(),
        volumes,
        new ProvisionConfig(
            config.calls().workers(),
            config.calls().minRetryDelay(),
            config.calls().maxRetryDelay(),
            ReporterNames.provisionerName(session.driver(), host, UUID.randomUUID().toString()),
            driver.names(),
            ProvisionConfig.Thresholds.NONE), // as external-provisioner
        session::onReady,
        blockedClaims::onChange,
        Optional.of(attachmentsByVolume()),
        node.map(storage -> toNode(config.node().orElseThrow(), storage)));
  }

  private static ProvisionedStorage.Node toNode(
      CsiConfig.NodeDeployment node, NodeStorage storage) {
    return new ProvisionedStorage.Node(
        node.node(),
        node.includesImmediate(),
        node.baseDelay(),
        node.maxDelay(),
        storage,
        () -> ThreadLocalRandom.current().nextDouble());
  }

  private <K> Backoff<K> backoff() {
    return new Backoff<>(config.calls().minRetryDelay(), config.calls().maxRetryDelay());
  }

  ControllerSpec attacherSpec() {
    String name = "csi-attacher-" + session.driver();
    Informer<Attachment> attachments = attachmentsByVolume();
    Informer<Volume> volumes = informers.of(Kind.VOLUME);
    WorkQueue<ObjectKey> queue =
        WorkQueue.gated(
            name + "-va",
            ports.time(),
            backoff(),
            ServedNamespace.ofAttachments(attachments, volumes),
            session.pace().attachmentGate(attachments));
    WorkQueue<ObjectKey> volumeQueue =
        WorkQueue.fair(name + "-pv", ports.time(), backoff(), ServedNamespace.ofVolumes(volumes));
    WorkQueue<String> verifications = new WorkQueue<>(name + "-verify", ports.time());
    AttachmentMemory memory = new AttachmentMemory(informers);
    var publisher = new VolumePublisher(session, config.options(), ports, nodes, memory);
    AttachmentReconciler reconciler = new AttachmentReconciler(publisher, memory, informers, queue);
    AttachmentEventHandlers handlers =
        new AttachmentEventHandlers(
            new AttachmentScope(session.driver(), config.onlyNode()),
            memory,
            informers,
            queue,
            volumeQueue);
    return handlers
        .declare(ControllerSpec.builder(name))
        .once(() -> session.onReady(handlers::driverIsReady))
        .loop(queue, reconciler::sync, config.calls().workers())
        .loop(volumeQueue, reconciler::syncVolume, 1)
        .patrol(verifications, driverName -> verify(reconciler))
        .once(() -> verifications.add(session.driver()))
        .build();
  }

  private Outcome verify(AttachmentReconciler reconciler) {
    reconciler.verify(config.listing().maxEntries());
    return new Outcome.CheckAgain(config.listing().period());
  }

  /**
   * @param node this instance's node; empty if it serves all nodes
   */
  ControllerSpec resizerSpec(Optional<LocalNodeStorage> node) {
    WorkQueue<ObjectKey> queue =
        WorkQueue.fair(
            "csi-resizer-" + session.driver(), ports.time(), backoff(), ObjectKey::namespace);
    DriverOptions options = config.options();
    ResizeMemory resizeMemory =
        new ResizeMemory(
            ports.time(), config.calls().maxRetryDelay(), options.claims().waitWhileInUse());
    ModifyMemory modifyMemory = new ModifyMemory(ports.time(), config.calls().maxRetryDelay());
    ResizeReconciler reconciler =
        new ResizeReconciler(
            informers,
            new VolumeUsers(informers),
            new VolumeResizer(session, options, ports, reporter, resizeMemory),
            new VolumeModifier(session, options, ports, reporter, modifyMemory),
            node);
    ResizeEventHandlers handlers =
        new ResizeEventHandlers(session.driver(), informers, resizeMemory, modifyMemory, queue);
    return handlers
        .declare(ControllerSpec.builder(queue.name()))
        .once(() -> session.onReady(handlers::driverIsReady))
        .loop(queue, reconciler::sync, config.calls().workers())
        .build();
  }

  ControllerSpec clonesSpec() {
    WorkQueue<CloneWork> queue =
        WorkQueue.fair("csi-clones-" + session.driver(), ports.time(), CloneWork::namespace);
    Informer<Claim> claims = informers.of(Kind.CLAIM);
    PendingClones clones = new PendingClones();
    CloneEventHandlers handlers = new CloneEventHandlers(clones, queue);
    CloneReconciler reconciler =
        new CloneReconciler(
            session,
            new SourceReleaser(claims, clones, sourceProtection, dataSourceReader()),
            config.sources().sweepPeriod(),
            queue);
    ControllerSpec.Builder spec =
        ControllerSpec.builder(queue.name())
            .reads(claims)
            .addHandler(claims, handlers::claimChanged)
            .once(() -> session.onReady(() -> queue.add(new CloneWork.Sweep())))
            .loop(queue, reconciler::sync, 1);
    return optionalControllers.useGrants(queue.name(), spec, handlers::grantChanged).build();
  }

  private ControllerSpec sourcesSpec() {
    SourceEventHandlers handlers =
        new SourceEventHandlers(session.driver(), config.onlyNode(), informers, blockedClaims);
    String name = "csi-sources-" + session.driver();
    ControllerSpec.Builder spec = handlers.declare(ControllerSpec.builder(name));
    if (config.snapshots().isPresent()) {
      spec.uses("the watch of VolumeSnapshots by " + name, informers.of(Kind.SNAPSHOT));
    }
    return optionalControllers.useGrants(name, spec, handlers::grantChanged).build();
  }

  private ControllerSpec volumeHealthSpec() {
    WorkQueue<String> queue = new WorkQueue<>("csi-health-" + session.driver(), ports.time());
    HealthReporter health = new HealthReporter(reporter, ports, healthMemory);
    VolumeHealthMonitor monitor =
        new VolumeHealthMonitor(session, informers, health, config.listing().maxEntries());
    return ControllerSpec.builder(queue.name())
        .reads(informers.of(Kind.VOLUME), informers.of(Kind.CLAIM))
        .once(() -> session.onReady(() -> queue.add(session.driver())))
        .loop(
            queue,
            driverName ->
                monitor.check()
                    ? new Outcome.CheckAgain(config.listing().healthPeriod())
                    : Outcome.SETTLED, // requeued when the driver is ready again
            1)
        .build();
  }

  private ControllerSpec nodeHealthSpec() {
    WorkQueue<ObjectKey> queue =
        new WorkQueue<>("csi-node-health-" + session.driver(), ports.time());
    NodeHealthMonitor monitor =
        new NodeHealthMonitor(session.driver(), informers, reporter, healthMemory, ports.time());
    return monitor
        .declare(ControllerSpec.builder(queue.name()))
        .addHandler(informers.of(Kind.NODE), new NodeEventHandlers(queue)::nodeChanged)
        .loop(queue, monitor::sync, 1)
        .build();
  }

  List<ControllerSpec> snapshotterSpecs() {
    return config.snapshots().map(optionalControllers::snapshotterSpecs).orElse(List.of());
  }

  SourceGate gate() {
    return sourceProtection.gate();
  }

  DriverSession session() {
    return session;
  }

  private ControllerSpec sessionSpec() {
    return ControllerSpec.builder("csi-session-" + session.driver())
        .reads(
            informers.of(Kind.NODE),
            informers.of(Kind.CSI_NODE),
            informers.of(Kind.ATTACHMENT),
            informers.of(Kind.STORAGE_CLASS))
        .once(session::start)
        .work(session)
        .build();
  }

  CsiBridge.DriverStatus status() {
    Optional<DriverIdentity> identity = session.identity();
    return new CsiBridge.DriverStatus(
        session.driver(),
        identity.map(DriverIdentity::version).orElse(""),
        identity.stream()
            .flatMap(i -> i.abilities().stream())
            .map(a -> a.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .sorted()
            .toList(),
        session.problem(),
        stats.read().stream()
            .filter(durations -> !durations.labels().operation().endsWith(" OK"))
            .mapToLong(OperationStats.Durations::total)
            .sum(),
        CsiBridge.CallLimit.listOf(session.pace()));
  }

  Optional<CapacityObjectCount> capacities() {
    return config.capacity().map(c -> optionalControllers.countObjects());
  }

  OrphanMemory orphans() {
    return optionalControllers.orphans();
  }

  OperationStats calls() {
    return stats;
  }
}
