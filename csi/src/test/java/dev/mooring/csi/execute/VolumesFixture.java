package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.csi.DriverClaims;
import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.FillSourceRules;
import dev.mooring.csi.state.BlockedClaims;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.csi.state.OrphanMemory;
import dev.mooring.csi.state.SourceGate;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.model.AccessModes;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.OperationStats;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.storage.VolumeService.DestroyCall;
import dev.mooring.storage.VolumeService.DestroyPlan;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Volumes of a driver and all objects that they need. */
abstract class VolumesFixture {
  static final String DRIVER = "d";
  static final ObjectKey CLAIM = ObjectKey.of("ns", "c");
  static final ObjectKey SOURCE = ObjectKey.of("ns", "source");
  static final ObjectKey SNAPSHOT = ObjectKey.of("ns", "snap");
  static final ObjectKey SECRET = ObjectKey.of("vault", "keys");
  static final ObjectKey V = ObjectKey.cluster("v");
  static final ObjectKey GOLD = ObjectKey.cluster("gold");

  /** Fails if snapshots are listed. */
  static final ListWatch<PartialObject> NONE =
      new GivenListWatch<>(() -> {
        throw new AssertionError();
      });

  final FaultyCluster server = new FaultyCluster();
  final InMemoryCluster cluster = server.cluster();
  final FakeDriver driver = new FakeDriver();
  final DriverSession session =
      new DriverSession(DRIVER, driver, new SimTime(), new OperationStats());
  final DriverReporter reporter = new DriverReporter(event -> {}, DRIVER);
  final DriverNodes driverNodes =
      new DriverNodes(
          DRIVER,
          new Informer<>(Kind.CSI_NODE, List.of()),
          new Informer<>(Kind.NODE, List.of()),
          Optional.of("n1"));
  final BlockedClaims waiting = new BlockedClaims();
  final CsiVolumes volumes = volumes(session, driverNodes, server, server, waiting);

  static CsiVolumes volumes(
      DriverSession session,
      DriverNodes nodes,
      LiveReader reader,
      ClusterWriter writer,
      BlockedClaims blocked) {
    DriverReporter reporter = new DriverReporter(event -> {}, session.driver());
    InputReader inputs = new InputReader(reader, blocked);
    DriverFinalizers finalizers = new DriverFinalizers(writer);
    return new CsiVolumes(
        session,
        new CreateRequests(nodes, DriverOptions.DEFAULTS, inputs, reporter),
        new FillSourceReader(
            session.driver(),
            DriverOptions.DEFAULTS.claims().keepMode(),
            inputs,
            new DataSourceReader(reader, true),
            new SourceProtection(
                new SourceGate(),
                blocked,
                finalizers,
                new SnapshotProtection(reader, finalizers, NONE, reporter)),
            false),
        new VolumeDeleter(
            session,
            reader,
            new Informer<>(Kind.STORAGE_CLASS, List.of()),
            new Informer<>(Kind.ATTACHMENT, List.of(AttachmentIndex.BY_VOLUME)),
            Optional.empty(),
            new OrphanMemory(false)),
        "tag");
  }

  static Meta meta(ObjectKey key, Map<String, String> annotations, String... finalizers) {
    return TestObjects.metaOf(key)
        .uid(key.name())
        .annotations(annotations)
        .finalizers(List.of(finalizers))
        .meta();
  }

  static Volume volume(Map<String, String> annotations) {
    return new Volume(
        meta(V, annotations),
        Map.of("storage", Quantity.of("1Gi")),
        VolumeSource.csi(DRIVER, "h"),
        AccessModes.of("ReadWriteOnce"),
        new ClaimRef(SOURCE, Uid.of("source")),
        ReclaimPolicy.DELETE,
        "fast",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(VolumePhase.BOUND, "", ""));
  }

  static Claim claim(String name, String attributesClass, String... finalizers) {
    return DriverClaims.claim()
        .meta(meta(ObjectKey.of("ns", name), Map.of(), finalizers))
        .attributesClass(attributesClass)
        .build();
  }

  static Claim withSource(Claim claim, boolean hasSource) {
    return TestObjects.like(claim)
        .volumeName("") // a claim with a volume is not provisioned
        .hasDataSource(hasSource)
        .build();
  }

  @BeforeEach
  void createObjects() {
    cluster.create(Kind.SECRET, SECRET, Document.empty().set(Map.of(), "data"));
    cluster.put(Kind.ATTRIBUTES_CLASS, new AttributesClass(meta(GOLD, Map.of()), DRIVER, Map.of()));
    cluster.put(Kind.CLAIM, claim("source", "", FillSourceRules.CLAIM_IN_USE));
    cluster.put(Kind.VOLUME, volume(Map.of()));
    snapshot(FillSourceRules.SNAPSHOT_IN_USE);
    cluster.put(
        Kind.SNAPSHOT_CONTENT,
        TestObjects.snapshotContent("content")
            .driver(DRIVER)
            .snapshot(new SnapshotContent.Ref(SNAPSHOT, Uid.of("s-uid")))
            .status(new SnapshotContent.Status("snap-1", 0, 0, true, Problem.NONE, ""))
            .build());
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(
                DRIVER,
                "1",
                EnumSet.complementOf(
                    EnumSet.of(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS))));
    session.start();
    TestWait.until("the driver is known", () -> session.identity().isPresent());
  }

  void snapshot(String... finalizers) {
    cluster.put(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot(SNAPSHOT.namespace(), SNAPSHOT.name())
            .uid("s-uid")
            .finalizers(List.of(finalizers))
            .status(
                new VolumeSnapshot.Status("content", true, 0, Optional.empty(), Problem.NONE, ""))
            .build());
  }

  @AfterEach
  void stop() throws InterruptedException {
    session.stop();
    assertThat(server.writes()).as("requests that the test did not expect").isEmpty();
  }

  Order order(String filling) {
    Map<String, Object> source =
        switch (filling) {
          case "empty" -> Map.of();
          case "snapshot" ->
              Map.of(
                  "apiGroup", DataSource.SNAPSHOT_GROUP, "kind", "VolumeSnapshot", "name", "snap");
          case "clone" -> Map.of("kind", "PersistentVolumeClaim", "name", "source");
          case "elsewhere" ->
              Map.of("kind", "PersistentVolumeClaim", "name", "x", "namespace", "other");
          default -> throw new AssertionError(filling);
        };
    Claim claim = withSource(claim("c", "gold"), !source.isEmpty());
    cluster.put(Kind.CLAIM, claim);
    cluster.patch(Kind.CLAIM, CLAIM, Document.empty().set(source, "spec", "dataSourceRef"));
    return new Order(
        "pvc-u",
        claim,
        new StorageClass(
            meta(ObjectKey.cluster("fast"), Map.of()),
            DRIVER,
            new HashMap<>(
                Map.of(
                    "csi.storage.k8s.io/provisioner-secret-name", SECRET.name(),
                    "csi.storage.k8s.io/provisioner-secret-namespace", SECRET.namespace())),
            ReclaimPolicy.DELETE,
            List.of(),
            StorageClass.Binding.IMMEDIATE,
            true,
            List.of()),
        null);
  }

  /** Prepares the deletion and runs it if it is ready. */
  DestroyResult destroy(Volume volume) throws InterruptedException {
    return switch (volumes.planDestruction(volume)) {
      case DestroyPlan.Ready(DestroyCall call) -> call.run();
      case DestroyPlan.Blocked(DestroyResult refusal) -> refusal;
    };
  }
}
