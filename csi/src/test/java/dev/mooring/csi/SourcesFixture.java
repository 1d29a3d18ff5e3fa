package dev.mooring.csi;

import dev.mooring.cluster.Document;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A driver, the inputs that claims wait for, and the claims that were requeued. */
abstract class SourcesFixture {
  static final String DRIVER = "d";
  static final ObjectKey SOURCE = ObjectKey.of("ns", "source");
  static final ObjectKey SNAPSHOT = ObjectKey.of("ns", "snap");
  static final Map<String, Object> COPY = Map.of("kind", "PersistentVolumeClaim", "name", "source");
  static final Map<String, Object> RESTORED =
      Map.of("apiGroup", DataSource.SNAPSHOT_GROUP, "kind", "VolumeSnapshot", "name", "snap");

  final SystemTime time = new SystemTime();
  final FaultyCluster server = new FaultyCluster();
  final InMemoryCluster cluster = server.cluster();
  final FakeDriver driver = new FakeDriver();
  final List<String> requeued = new CopyOnWriteArrayList<>();
  private @Nullable ProvisionedStorage storage;
  private @Nullable StepwiseController session;

  @AfterEach
  void end() throws InterruptedException {
    if (session != null) {
      session.close();
    }
    time.close();
  }

  ControllerSpec provisioner(ProvisionedStorage provisioned) {
    storage = provisioned;
    provisioned.onUnblocked().accept(claim -> requeued.add(claim.claim().name()));
    return ControllerSpec.builder(provisioned.name()).build();
  }

  static CsiConfig config() {
    return CsiConfig.DEFAULTS.with(new CsiConfig.DataSources(Duration.ZERO, true));
  }

  static CsiConfig configWithSnapshots() {
    return config().with(new CsiConfig.Snapshots(DriverNames.OF_SNAPSHOTS, Optional.empty()));
  }

  void start(CsiConfig config, DriverCapability... lacking) throws InterruptedException {
    EnumSet<DriverCapability> capabilities = EnumSet.allOf(DriverCapability.class);
    capabilities.removeAll(List.of(lacking));
    driver.identity = new DriverReply.Ok<>(new DriverIdentity(DRIVER, "1", capabilities));
    CsiBridge bridge =
        new CsiBridge(
            new CsiBridge.Config(
                "host",
                GivenListWatch.empty(),
                List.of(new CsiBridge.Driver(DRIVER, driver, config, DriverNames.OF_VOLUMES))),
            cluster.informers(),
            TestPorts.of(server, cluster, time),
            this::provisioner,
            new DeletionBreaker(0, Duration.ofMinutes(10), time));
    for (ControllerSpec spec : bridge.spec().members()) {
      if (spec.name().startsWith("csi-sources-")) {
        new StepwiseController(spec, time).startWithoutFirstPasses();
      } else if (spec.name().startsWith("csi-session-")) {
        session = new StepwiseController(spec, time);
        session.startWithoutFirstPasses();
      }
    }
    TestWait.until("the driver is known", () -> storage().volumes().isReady());
  }

  void start(DriverCapability... lacking) throws InterruptedException {
    start(configWithSnapshots(), lacking);
  }

  void beginWithoutPlaces() throws InterruptedException {
    start(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS);
  }

  ProvisionedStorage storage() {
    ProvisionedStorage provisioned = storage;
    if (provisioned == null) {
      throw new AssertionError();
    }
    return provisioned;
  }

  static Claim claim(String name, ClaimPhase phase, String volume, boolean filled) {
    return TestObjects.claim("ns", name)
        .uid(name)
        .accessModes(AccessModes.of("ReadWriteOnce"))
        .request("1Gi")
        .storageClass("fast")
        .volumeName(volume)
        .hasDataSource(filled)
        .status(new Claim.Status(phase, List.of(), Map.of(), ""))
        .build();
  }

  static StorageClass storageClass() {
    return TestObjects.storageClass(ObjectKey.cluster("fast")).provisioner(DRIVER).build();
  }

  Plan plan(String name, Map<String, Object> source) throws InterruptedException {
    return plan(claim(name, ClaimPhase.PENDING, "", !source.isEmpty()), source, null);
  }

  Plan plan(Claim claim, Map<String, Object> source, @Nullable String node)
      throws InterruptedException {
    cluster.put(Kind.CLAIM, claim);
    cluster.patch(Kind.CLAIM, claim.key(), Document.empty().set(source, "spec", "dataSourceRef"));
    requeued.clear(); // the claim may be the source of another one
    return storage()
        .volumes()
        .plan(new Order("pvc-" + claim.meta().uid(), claim, storageClass(), node));
  }

  void source(ClaimPhase phase, VolumePhase volume) {
    boolean bound = phase == ClaimPhase.BOUND;
    cluster.put(Kind.CLAIM, claim("source", phase, bound ? "v" : "", false));
    volume(volume);
  }

  void volume(VolumePhase phase) {
    cluster.put(
        Kind.VOLUME,
        TestObjects.volume(ObjectKey.cluster("v"))
            .source(VolumeSource.csi(DRIVER, "h"))
            .claimRef(new ClaimRef(SOURCE, Uid.of("source")))
            .phase(phase)
            .build());
  }

  void snapshot(boolean ready, String problem) {
    cluster.put(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot(SNAPSHOT.namespace(), SNAPSHOT.name())
            .uid("s-uid")
            .status(
                new VolumeSnapshot.Status(
                    "content", ready, 0, Optional.empty(), new Problem(1, problem), ""))
            .build());
  }

  void content(String handle) {
    cluster.put(
        Kind.SNAPSHOT_CONTENT,
        TestObjects.snapshotContent("content")
            .driver(DRIVER)
            .snapshot(new SnapshotContent.Ref(SNAPSHOT, Uid.of("s-uid")))
            .status(new SnapshotContent.Status(handle, 0, 0, true, Problem.NONE, ""))
            .build());
  }

  void node(String name, Map<String, String> labels) {
    cluster.put(Kind.NODE, TestObjects.node(name).labels(labels).build());
  }

  void driverOn(String node, String driverName, String... keys) {
    cluster.put(
        Kind.CSI_NODE,
        TestObjects.csiNode(node)
            .drivers(List.of(new CsiNode.Driver(driverName, node, List.of(keys), 0)))
            .build());
  }
}
