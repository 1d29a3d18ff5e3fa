package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.model.AccessModes;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReferenceGrant;
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
import org.junit.jupiter.api.Test;

/** Requeues of claims that wait for something other than the driver. */
class SourceEventHandlersTest {
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
    return CsiConfig.DEFAULTS.with(new CsiConfig.DataSources(Duration.ZERO, true, false));
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

  /** A claim is requeued once until its next planning. */
  @Test
  void clone_sourceBound_isRequeued() throws InterruptedException {
    beginWithoutPlaces();
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Blocked.class);
    source(ClaimPhase.PENDING, VolumePhase.BOUND);
    assertThat(requeued).as("the source exists").containsExactly("one");
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Blocked.class);
    assertThat(plan("two", COPY)).isInstanceOf(Plan.Blocked.class);
    assertThat(plan("free", Map.of())).isInstanceOf(Plan.Ready.class);

    cluster.patch(Kind.CLAIM, SOURCE, Document.empty().set(Map.of("n", "1"), "metadata", "labels"));
    assertThat(requeued).as("an irrelevant change").isEmpty();
    source(ClaimPhase.BOUND, VolumePhase.BOUND);
    assertThat(requeued).containsExactlyInAnyOrder("one", "two");
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Ready.class);
  }

  /** The claim may be bound before its volume. */
  @Test
  void clone_volumeOfSourceBound_isRequeued() throws InterruptedException {
    beginWithoutPlaces();
    source(ClaimPhase.BOUND, VolumePhase.AVAILABLE);
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Blocked.class);
    source(ClaimPhase.BOUND, VolumePhase.BOUND);
    assertThat(requeued).containsExactly("one");
  }

  /** A new error of the snapshot requeues no claim. */
  @Test
  void restore_snapshotReady_isRequeued() throws InterruptedException {
    beginWithoutPlaces();
    assertThat(plan("one", RESTORED)).isInstanceOf(Plan.Blocked.class);
    snapshot(false, "");
    assertThat(requeued).as("the snapshot exists").containsExactly("one");
    assertThat(plan("one", RESTORED)).isInstanceOf(Plan.Blocked.class);
    content("");
    assertThat(requeued).as("the content exists").containsExactly("one");
    assertThat(plan("one", RESTORED)).isInstanceOf(Plan.Blocked.class);

    snapshot(false, "the driver is busy");
    snapshot(false, "the driver is busy still");
    assertThat(requeued).as("irrelevant changes").isEmpty();
    snapshot(true, "");
    assertThat(requeued).as("the snapshot is ready").containsExactly("one");
    assertThat(plan("one", RESTORED)).isInstanceOf(Plan.Blocked.class);
    content("snap-1");
    assertThat(requeued).as("the content has a handle").containsExactly("one");
    assertThat(plan("one", RESTORED)).isInstanceOf(Plan.Ready.class);
  }

  /** The back-off after a driver's answer must not be shortened. */
  @Test
  void driverCalled_sourceChanges_isNotRequeued() throws InterruptedException {
    beginWithoutPlaces();
    source(ClaimPhase.BOUND, VolumePhase.BOUND);
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Ready.class);
    source(ClaimPhase.LOST, VolumePhase.FAILED);
    source(ClaimPhase.BOUND, VolumePhase.BOUND);
    cluster.put(Kind.STORAGE_CLASS, storageClass());
    assertThat(requeued).isEmpty();
  }

  @Test
  void waiting_classChanges_isRequeued() throws InterruptedException {
    beginWithoutPlaces();
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Blocked.class);
    cluster.put(
        Kind.STORAGE_CLASS,
        TestObjects.storageClass(ObjectKey.cluster("slow")).provisioner(DRIVER).build());
    assertThat(requeued).as("another class").isEmpty();
    cluster.put(Kind.STORAGE_CLASS, storageClass());
    assertThat(requeued).containsExactly("one");
  }

  @Test
  void forgotten_sourceChanges_isNotRequeued() throws InterruptedException {
    beginWithoutPlaces();
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Blocked.class);
    storage().volumes().forget(Uid.of("one"));
    source(ClaimPhase.BOUND, VolumePhase.BOUND);
    assertThat(requeued).isEmpty();
  }

  @Test
  void foreignSource_grantCreated_isRequeued() throws InterruptedException {
    beginWithoutPlaces();
    assertThat(
            plan("one", Map.of("kind", "PersistentVolumeClaim", "name", "x", "namespace", "other")))
        .isInstanceOf(Plan.Blocked.class);
    cluster
        .informers()
        .of(ReferenceGrant.KIND)
        .applyOwnWrite(TestObjects.referenceGrant("elsewhere", "g").build());
    assertThat(requeued).isEmpty();
    cluster
        .informers()
        .of(ReferenceGrant.KIND)
        .applyOwnWrite(TestObjects.referenceGrant("other", "g").build());
    assertThat(requeued).containsExactly("one");
  }

  @Test
  void noTopology_firstNodeOfDriver_isRequeued() throws InterruptedException {
    start();
    assertThat(plan("one", Map.of())).isInstanceOf(Plan.Blocked.class);
    node("n1", Map.of("zone", "z"));
    driverOn("n1", "another", "zone");
    assertThat(requeued).as("another driver").isEmpty();
    driverOn("n1", DRIVER, "zone");
    assertThat(requeued).containsExactly("one");
    assertThat(plan("one", Map.of())).isInstanceOf(Plan.Ready.class);
  }

  @Test
  void selectedNode_driverOrLabelChanges_isRequeued() throws InterruptedException {
    start();
    Claim claim = claim("one", ClaimPhase.PENDING, "", false);
    node("n1", Map.of());
    assertThat(plan(claim, Map.of(), "n1")).isInstanceOf(Plan.Blocked.class);
    driverOn("n2", DRIVER, "zone");
    assertThat(requeued).as("another node").isEmpty();
    driverOn("n1", DRIVER, "zone");
    assertThat(requeued).containsExactly("one");
    assertThat(plan(claim, Map.of(), "n1")).isInstanceOf(Plan.Blocked.class);
    node("n1", Map.of("other", "o"));
    assertThat(requeued).as("another label").isEmpty();
    node("n1", Map.of("zone", "z"));
    assertThat(requeued).containsExactly("one");
    assertThat(plan(claim, Map.of(), "n1")).isInstanceOf(Plan.Ready.class);
  }

  /** An instance for one node ignores other nodes. */
  @Test
  void nodeDeployment_otherNodeChanges_isNotRequeued() throws InterruptedException {
    start(
        config()
            .with(new CsiConfig.NodeDeployment("n1", true, Duration.ZERO, Duration.ofSeconds(1))));
    assertThat(plan("one", Map.of())).isInstanceOf(Plan.Blocked.class);
    node("n2", Map.of("zone", "z"));
    driverOn("n2", DRIVER, "zone");
    assertThat(requeued).isEmpty();
    node("n1", Map.of("zone", "z"));
    driverOn("n1", DRIVER, "zone");
    assertThat(requeued).containsExactly("one");
  }

  /** Another controller, for example the protection controller, has a cache of the kind. */
  @Test
  void attributesClass_createdAndCached_isRequeued() throws InterruptedException {
    cluster.informers().of(Kind.ATTRIBUTES_CLASS);
    beginWithoutPlaces();
    Claim claim =
        TestObjects.like(claim("one", ClaimPhase.PENDING, "", false))
            .attributesClass("gold")
            .build();
    assertThat(plan(claim, Map.of(), null)).isInstanceOf(Plan.Blocked.class);
    cluster.put(
        Kind.ATTRIBUTES_CLASS,
        new AttributesClass(
            TestObjects.metaOf(ObjectKey.cluster("gold")).meta(), DRIVER, Map.of("iops", "1")));
    assertThat(requeued).containsExactly("one");
  }

  /** An unnecessary requeue would extend the back-off. */
  @Test
  void satisfiedTopology_nodeChanges_isNotRequeued() throws InterruptedException {
    start();
    node("n1", Map.of("zone", "z"));
    driverOn("n1", DRIVER, "zone");
    Claim claim =
        TestObjects.like(claim("one", ClaimPhase.PENDING, "", false))
            .attributesClass("gold")
            .build();
    assertThat(plan(claim, Map.of(), null)).isInstanceOf(Plan.Blocked.class);
    node("n2", Map.of("zone", "y"));
    driverOn("n2", DRIVER, "zone");
    assertThat(requeued).isEmpty();
  }

  /** Without snapshots, the right to watch them is not needed. */
  @Test
  void snapshots_disabled_areNotWatched() throws InterruptedException {
    start(config());
    assertThat(cluster.informers().find(Kind.SNAPSHOT)).isEmpty();
    start(configWithSnapshots());
    assertThat(cluster.informers().find(Kind.SNAPSHOT)).isPresent();
  }

  /**
   * The planning may have read old data: it is repeated afterwards, unless the driver is called.
   */
  @Test
  void planning_inputChangesMeanwhile_isRequeued() throws InterruptedException {
    beginWithoutPlaces();
    source(ClaimPhase.PENDING, VolumePhase.BOUND);
    server.onRead(request -> {
      if (!request.key().equals(SOURCE)) {
        return null;
      }
      ReadResult<Claim> sourceRead = cluster.read(Kind.CLAIM, SOURCE);
      source(ClaimPhase.BOUND, VolumePhase.BOUND);
      return sourceRead;
    });
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Blocked.class);
    assertThat(requeued).containsExactly("one");

    server.onRead(request -> {
      if (request.kind().equals(Kind.VOLUME)) {
        volume(VolumePhase.AVAILABLE);
        volume(VolumePhase.BOUND);
      }
      return null;
    });
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Ready.class);
    assertThat(requeued).as("the driver is called anyway").isEmpty();
  }
}
