package dev.mooring.csi;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.execute.BlockedClaims;
import dev.mooring.csi.execute.CapacityTracker;
import dev.mooring.csi.execute.ContentTwins;
import dev.mooring.csi.execute.CsiVolumes;
import dev.mooring.csi.execute.DataSourceReader;
import dev.mooring.csi.execute.DriverFinalizers;
import dev.mooring.csi.execute.DriverNodes;
import dev.mooring.csi.execute.DriverReporter;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.LocalNodeStorage;
import dev.mooring.csi.execute.PublicationIndex;
import dev.mooring.csi.execute.SnapshotProtection;
import dev.mooring.csi.execute.SnapshotReconciler;
import dev.mooring.csi.execute.SourceGate;
import dev.mooring.csi.execute.VolumeModifier;
import dev.mooring.csi.execute.VolumePublisher;
import dev.mooring.csi.execute.VolumeResizer;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.PartialObject;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.NodeStorage;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

final class DriverBridge {
  record ClusterAccess(
      SharedInformers informers,
      ListWatch<PartialObject> snapshots,
      ClusterPorts ports,
      DeletionBreaker breaker) {}

  private final DriverSession session;
  private final CsiConfig config;
  private final SharedInformers informers;
  private final ClusterPorts ports;
  private final DeletionBreaker breaker;
  private final DriverReporter reporter;
  private final OperationStats stats = new OperationStats();
  private final VolumeService volumes;
  private final AttachController attacher;
  private final ResizeController resizer;
  private final CloneController clones;
  private final BlockedClaims waiting = new BlockedClaims();
  private final SourceEventHandlers sources;
  private final HealthController health;
  private final Optional<NodeHealthController> nodeHealth;
  private final Optional<CapacityController> capacity;
  private final Optional<LocalNodeStorage> storage;
  private final Optional<SnapshotContentController<?, ?>> snapshotter;
  private final Optional<SnapshotContentController<?, ?>> groups;

  DriverBridge(CsiBridge.Driver driver, ClusterAccess cluster) {
    this.config = driver.config();
    this.informers = cluster.informers();
    this.ports = cluster.ports();
    this.breaker = cluster.breaker();
    this.session = new DriverSession(driver.name(), driver.connection(), ports.time(), stats);
    this.reporter = new DriverReporter(ports.events(), driver.name());
    DriverNodes nodes =
        new DriverNodes(informers.of(Kind.CSI_NODE), informers.of(Kind.NODE), config.onlyNode());
    DriverFinalizers finalizers = new DriverFinalizers(ports.writer());
    SourceGate gate = new SourceGate();
    SnapshotProtection snapshots =
        new SnapshotProtection(ports.reader(), finalizers, cluster.snapshots(), reporter);
    CsiVolumes csiVolumes = volumes(nodes, snapshots, gate);
    this.storage =
        config
            .onlyNode()
            .map(n -> new LocalNodeStorage(session, n, nodes, ports.reader(), csiVolumes));
    this.attacher = attacher(nodes);
    this.resizer = resizer(storage);
    this.capacity =
        config.capacity().map(c -> new CapacityController(session, config, c, informers, ports));
    this.health = new HealthController(session, config, informers, reporter, ports.time());
    this.nodeHealth = nodeHealth();
    this.volumes =
        capacity
            .<VolumeService>map(
                c -> new CapacityTracker(csiVolumes, ports.reader(), c::capacityChanged))
            .orElse(csiVolumes);
    this.snapshotter = config.snapshots().map(s -> snapshotter(s.names()));
    this.groups = config.snapshots().flatMap(CsiConfig.Snapshots::groups).map(this::groups);
    this.clones = clones(finalizers, snapshots, gate);
    this.sources = new SourceEventHandlers(session.driver(), config, informers, waiting);
  }

  private AttachController attacher(DriverNodes nodes) {
    return new AttachController(
        session,
        config,
        new VolumePublisher(
            session,
            config.options(),
            ports,
            nodes,
            informers.of(Kind.ATTACHMENT, PublicationIndex.BY_RECORD)),
        informers,
        ports.time());
  }

  private CsiVolumes volumes(
      DriverNodes driverNodes, SnapshotProtection snapshots, SourceGate gate) {
    return new CsiVolumes(
        session,
        config.options(),
        new CsiVolumes.ClusterAccess(
            ports.reader(),
            ports.writer(),
            informers.of(Kind.STORAGE_CLASS),
            informers.of(Kind.ATTACHMENT, AttachmentIndex.BY_VOLUME),
            driverNodes,
            snapshots,
            gate,
            waiting,
            config.sources().acrossNamespaces()),
        reporter,
        tag(session.driver(), ports.time()) + config.onlyNode().map(n -> "-" + n).orElse(""));
  }

  private CloneController clones(
      DriverFinalizers finalizers, SnapshotProtection snapshots, SourceGate gate) {
    return new CloneController(
        session,
        config.sources(),
        informers,
        new CloneController.Parts(
            new DataSourceReader(ports.reader()), finalizers, snapshots, gate, waiting),
        ports.time());
  }

  private Optional<NodeHealthController> nodeHealth() {
    return config.listing().nodesToo()
        ? Optional.of(new NodeHealthController(session, informers, reporter, ports.time()))
        : Optional.empty();
  }

  private ResizeController resizer(Optional<LocalNodeStorage> node) {
    DriverOptions options = config.options();
    return new ResizeController(
        session,
        config,
        new ResizeController.Parts(
            new VolumeResizer(session, options, ports, reporter, config.lastRetry()),
            new VolumeModifier(session, options, ports, reporter, config.lastRetry()),
            node),
        informers,
        ports.time());
  }

  private SnapshotContentController<?, ?> snapshotter(DriverNames names) {
    Informer<SnapshotClass> classes = informers.of(Kind.SNAPSHOT_CLASS);
    Informer<SnapshotContent> contents = informers.of(Kind.SNAPSHOT_CONTENT);
    return new SnapshotContentController<>(
        session,
        config,
        new SnapshotContentController.WatchedKinds<>(
            "csi-snapshotter", contents, classes, ServedNamespace::of, List.of(contents)),
        SnapshotReconciler.ofSnapshots(session, snapshotSettings(names), classes, twins(), ports),
        ports.time());
  }

  private SnapshotContentController<?, ?> groups(DriverNames names) {
    Informer<GroupSnapshotClass> classes = informers.of(Kind.GROUP_SNAPSHOT_CLASS);
    Informer<GroupSnapshotContent> contents = informers.of(Kind.GROUP_SNAPSHOT_CONTENT);
    return new SnapshotContentController<>(
        session,
        config,
        new SnapshotContentController.WatchedKinds<>(
            "csi-group-snapshotter",
            contents,
            classes,
            ServedNamespace::of,
            List.of(contents, informers.of(Kind.SNAPSHOT_CONTENT))),
        SnapshotReconciler.ofGroups(session, snapshotSettings(names), classes, twins(), ports),
        ports.time());
  }

  private ContentTwins twins() {
    return new ContentTwins(
        informers, config.snapshots().flatMap(CsiConfig.Snapshots::groups).isPresent());
  }

  private SnapshotReconciler.SnapshotSettings snapshotSettings(DriverNames names) {
    return new SnapshotReconciler.SnapshotSettings(
        names, config.options().extraMetadata(), config.firstRetry(), config.lastRetry(), breaker);
  }

  // Identity of the provisioner in volumes' attributes; differs at every start, as in external-
  // provisioner.
  private static String tag(String driver, Time time) {
    return time.now().toEpochMilli()
        + "-"
        + UUID.randomUUID().toString().substring(0, 4)
        + "-"
        + driver;
  }

  String driver() {
    return session.driver();
  }

  DriverStatus status() {
    Optional<DriverIdentity> identity = session.identity();
    return new DriverStatus(
        session.driver(),
        identity.map(DriverIdentity::version).orElse(""),
        identity.stream()
            .flatMap(i -> i.abilities().stream())
            .map(a -> a.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .sorted()
            .toList(),
        session.problem(),
        stats.read().stream()
            .filter(of -> !of.sort().operation().endsWith(" OK"))
            .mapToLong(OperationStats.Durations::total)
            .sum());
  }

  VolumeService volumes() {
    return volumes;
  }

  Informer<Attachment> attachments() {
    return informers.of(Kind.ATTACHMENT, AttachmentIndex.BY_VOLUME);
  }

  // Empty if this instance serves all nodes.
  Optional<NodeStorage> storage() {
    return storage.map(s -> s);
  }

  // Empty if no capacity is published.
  Optional<CapacityObjectCount> capacities() {
    return capacity.map(CapacityController::count);
  }

  /**
   * Returns the controllers in start order. The session starts last and stops first, so that it
   * calls all listeners.
   *
   * @param provisioner creates and deletes the driver's volumes
   */
  List<ControllerSpec> controllers(ControllerSpec provisioner) {
    List<ControllerSpec> all =
        new ArrayList<>(
            List.of(attacher.spec(), resizer.spec(), clones.spec(), sources.spec(), health.spec()));
    capacity.ifPresent(c -> all.add(c.spec()));
    nodeHealth.ifPresent(c -> all.add(c.spec()));
    snapshotter.ifPresent(c -> all.add(c.spec()));
    groups.ifPresent(c -> all.add(c.spec()));
    all.add(provisioner);
    all.add(session());
    return List.copyOf(all);
  }

  private ControllerSpec session() {
    return ControllerSpec.named("csi-session-" + session.driver())
        .reads(
            informers.of(Kind.NODE),
            informers.of(Kind.CSI_NODE),
            informers.of(Kind.ATTACHMENT),
            informers.of(Kind.STORAGE_CLASS))
        .once(session::start)
        .work(
            new ControllerSpec.SlowWork() {
              @Override
              public boolean isQuiet() {
                return true; // callers wait for the session themselves
              }

              @Override
              public boolean close(Duration grace) throws InterruptedException {
                session.stop();
                return true;
              }
            })
        .build();
  }

  OperationStats calls() {
    return stats;
  }

  void callOnlyWhile(BooleanSupplier allowed) {
    session.callOnlyWhile(allowed);
  }

  // Sets the callback for claims that need not wait for the driver. It must not block.
  void onUnblocked(Consumer<ClaimRef> listener) {
    waiting.onChange(listener);
  }

  // Adds a listener for each time the driver becomes ready. It must not block.
  void onReady(Runnable listener) {
    session.onReady(listener);
  }
}
