package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.Given;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.model.AccessModes;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
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
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.Attached;
import dev.mooring.storage.NodeStorage.Fit;
import dev.mooring.storage.NodeStorage.Where;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is made or destroyed by what the API server did not say, nor is that a no. */
@Timeout(300)
class VolumesUnansweredTest {
  private static final String DRIVER = "d";
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");
  private static final ObjectKey SOURCE = ObjectKey.of("ns", "source");
  private static final ObjectKey SNAPSHOT = ObjectKey.of("ns", "snap");
  private static final ObjectKey SECRET = ObjectKey.of("vault", "keys");
  private static final ObjectKey V = ObjectKey.cluster("v");
  private static final ObjectKey GOLD = ObjectKey.cluster("gold");
  private static final String DELETION = "volume.kubernetes.io/provisioner-deletion-secret-";

  /** Nobody lists snapshots here. */
  private static final ListWatch<PartialObject> NONE =
      new ListWatch<>() {
        @Override
        public boolean streamsLists() {
          return false;
        }

        @Override
        public long list(Consumer<PartialObject> each) throws ListWatchException {
          throw new AssertionError();
        }

        @Override
        public Page head(int most, Consumer<PartialObject> each) {
          throw new AssertionError();
        }

        @Override
        public void catchUp(long from, Sink<PartialObject> sink) {
          throw new AssertionError();
        }

        @Override
        public void watch(long from, boolean everything, Sink<PartialObject> sink) {
          throw new AssertionError();
        }
      };

  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();
  private final FakeDriver driver = new FakeDriver();
  private final DriverSession session =
      new DriverSession(DRIVER, driver, new SimTime(), new OperationStats());
  private final DriverReporter reporter = new DriverReporter(event -> {}, DRIVER);
  private final DriverNodes driverNodes =
      new DriverNodes(
          new Informer<>(Kind.CSI_NODE, List.of()),
          new Informer<>(Kind.NODE, List.of()),
          Optional.of("n1"));
  private final CsiVolumes volumes =
      new CsiVolumes(
          session,
          DriverOptions.DEFAULTS,
          new CsiVolumes.Cluster(
              server,
              server,
              new Informer<>(Kind.STORAGE_CLASS, List.of()),
              new Informer<>(Kind.ATTACHMENT, List.of(Attached.BY_VOLUME)),
              driverNodes,
              new SnapshotHolds(server, new DriverFinalizers(server), NONE, reporter),
              new SourceGate(),
              true),
          reporter,
          "tag");

  private static Meta meta(ObjectKey key, Map<String, String> annotations, String... finalizers) {
    return Builders.metaOf(key)
        .uid(key.name())
        .annotations(annotations)
        .finalizers(List.of(finalizers))
        .meta();
  }

  private static Volume volume(Map<String, String> annotations) {
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

  private static Claim claim(String name, String attributesClass, String... finalizers) {
    Claim plain =
        Given.claim(
            "1Gi",
            attributesClass,
            Map.of(),
            Given.status("1Gi", null, ResizeState.NONE, List.of()));
    return plain.with(meta(ObjectKey.of("ns", name), Map.of(), finalizers));
  }

  private static Claim filled(Claim claim, boolean filled) {
    return new Claim(
        claim.meta(),
        claim.accessModes(),
        claim.request(),
        claim.storageClass(),
        "", // nothing is made for who has one
        claim.volumeMode(),
        claim.selector(),
        claim.attributesClass(),
        filled,
        claim.status());
  }

  @BeforeEach
  void everythingIsThere() {
    cluster.create(Kind.SECRET, SECRET, Document.empty().set(Map.of(), "data"));
    cluster.put(Kind.ATTRIBUTES_CLASS, new AttributesClass(meta(GOLD, Map.of()), DRIVER, Map.of()));
    cluster.put(Kind.CLAIM, claim("source", "", ContentRules.CLAIM_IN_USE));
    cluster.put(Kind.VOLUME, volume(Map.of()));
    snapshot(ContentRules.SNAPSHOT_IN_USE);
    cluster.put(
        Kind.SNAPSHOT_CONTENT,
        Builders.snapshotContent("content")
            .driver(DRIVER)
            .snapshot(new SnapshotContent.Ref(SNAPSHOT, Uid.of("s-uid")))
            .status(new SnapshotContent.Status("snap-1", 0, 0, true, Problem.NONE, ""))
            .build());
    driver.identity =
        new Reply.Ok<>(
            new Identity(
                DRIVER,
                "1",
                EnumSet.complementOf(EnumSet.of(Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS))));
    session.start();
    Patience.until("the driver is known", () -> session.identity().isPresent());
  }

  private void snapshot(String... finalizers) {
    cluster.put(
        Kind.SNAPSHOT,
        Builders.volumeSnapshot(SNAPSHOT.namespace(), SNAPSHOT.name())
            .uid("s-uid")
            .finalizers(List.of(finalizers))
            .status(
                new VolumeSnapshot.Status("content", true, 0, Optional.empty(), Problem.NONE, ""))
            .build());
  }

  /** From now on nothing is said of that kind. */
  private void silent(String plural) {
    server.onRead(asked ->
        asked.kind().plural().equals(plural) ? new ReadResult.Failed<>("no answer") : null);
  }

  @AfterEach
  void stop() throws InterruptedException {
    session.stop();
    assertThat(server.writes()).as("besides what a test expects").isEmpty();
  }

  private Order order(String filling) {
    Map<String, Object> source =
        switch (filling) {
          case "empty" -> Map.of();
          case "snapshot" ->
              Map.of("apiGroup", DataSource.SNAPSHOTS, "kind", "VolumeSnapshot", "name", "snap");
          case "clone" -> Map.of("kind", "PersistentVolumeClaim", "name", "source");
          case "elsewhere" ->
              Map.of("kind", "PersistentVolumeClaim", "name", "x", "namespace", "other");
          default -> throw new AssertionError(filling);
        };
    Claim claim = filled(claim("c", "gold"), !source.isEmpty());
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

  @ParameterizedTest(name = "{0}, nothing said of {1}")
  @CsvSource({
    "snapshot, persistentvolumeclaims",
    "empty, secrets",
    "empty, volumeattributesclasses",
    "snapshot, volumesnapshots",
    "snapshot, volumesnapshotcontents",
    "clone, persistentvolumeclaims",
    "clone, persistentvolumes",
    "elsewhere, referencegrants",
  })
  void whetherTheDriverCanBeAskedIsNotKnown(String filling, String silent)
      throws InterruptedException {
    silent(silent);
    assertThat(volumes.plan(order(filling)))
        .isInstanceOfSatisfying(
            Plan.Unknown.class, it -> assertThat(it.why()).contains("\"fast\"", "no answer"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"empty", "snapshot", "clone"})
  void itIsAskedWhenAllIsSaid(String filling) throws InterruptedException {
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Ask.class);
  }

  /** Whether a claim has a source never changes. */
  @Test
  void aClaimThatIsFilledWithNothingIsNotReadForThat() throws InterruptedException {
    silent("persistentvolumeclaims");
    assertThat(volumes.plan(order("empty"))).isInstanceOf(Plan.Ask.class);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"empty, vault, keys", "snapshot, '', content", "clone, '', v"})
  void whatIsNotThereIsAnAnswer(String filling, String namespace, String missing)
      throws InterruptedException {
    for (Kind<?> kind : List.of(Kind.SECRET, Kind.SNAPSHOT_CONTENT, Kind.VOLUME)) {
      cluster.remove(kind, new ObjectKey(namespace, missing));
    }
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Not.class);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"snapshot", "clone"})
  void aSourceThatCouldNotBeHeldForWantOfAnAnswerIsHeldSoon(String filling)
      throws InterruptedException {
    snapshot();
    cluster.put(Kind.CLAIM, claim("source", ""));
    server.nextWrites(new WriteResult.Unreachable<>("away"), new WriteResult.Conflict<>("changed"));
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Unknown.class);
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Not.class);
    assertThat(server.writes()).hasSize(2);
    assertThat(volumes.plan(order(filling))).as("it is held").isInstanceOf(Plan.Ask.class);
    server.forget();
  }

  /** A driver that misses its credentials may find no volume, and call that destroyed. */
  @Test
  void nothingIsDestroyedWithoutCredentialsThatWereNotSaid() throws InterruptedException {
    Volume protectedBySecret =
        volume(
            Map.of(DELETION + "name", SECRET.name(), DELETION + "namespace", SECRET.namespace()));
    silent("secrets");
    assertThat(volumes.destroy(protectedBySecret)).isInstanceOf(Destroying.Unknown.class);
    assertThat(driver.deletions).hasValue(0);
    server.onRead(asked -> null);
    cluster.remove(Kind.SECRET, SECRET);
    assertThat(volumes.destroy(protectedBySecret))
        .as("they are gone")
        .isInstanceOf(Destroying.Destroyed.class);
    server.forbid(Kind.SECRET);
    assertThat(volumes.destroy(protectedBySecret))
        .as("with their namespace the right to read them is gone")
        .isInstanceOf(Destroying.Destroyed.class);
    assertThat(driver.deletions).hasValue(2);
  }

  @Test
  void aNodeStandsForNothingThatIsNotSaid() throws InterruptedException {
    OnNode node = new OnNode(session, "n1", driverNodes, server, volumes);
    silent("secrets");
    assertThat(node.fit(order("empty"))).isEqualTo(Fit.UNANSWERED);
    server.onRead(asked -> null);
    cluster.remove(Kind.SECRET, SECRET);
    assertThat(node.fit(order("empty"))).isEqualTo(Fit.UNKNOWN);
  }

  @Test
  void whoseAVolumeIsIsNotKnownBeforeItIsSaid() throws InterruptedException {
    OnNode node = new OnNode(session, "n1", driverNodes, server, volumes);
    silent("persistentvolumes");
    assertThat(node.where(claim("c", ""), volume(Map.of()))).isEqualTo(Where.UNANSWERED);
    server.onRead(asked -> null);
    assertThat(node.where(claim("c", ""), volume(Map.of()))).isEqualTo(Where.HERE);
  }

  private Order unwanted(Order order, boolean deleted) {
    Claim claim = order.claim();
    return new Order(
        order.volumeName(),
        Builders.like(claim)
            .deleted(deleted ? 2 : 0)
            .labels(Map.of())
            .annotations(Map.of())
            .volumeName(deleted ? "" : "disk")
            .selector(null)
            .build(),
        order.storageClass(),
        null);
  }

  private ProvisionResult made(Order order) throws InterruptedException {
    return ((Plan.Ask) volumes.plan(order)).call().run();
  }

  private static Reply<CsiVolume> volumeOf(long bytes) {
    return new Reply.Ok<>(new CsiVolume("h", bytes, Map.of(), false, List.of()));
  }

  /** It was made for a claim that has grown since, with the volume that it got meanwhile. */
  @Test
  void whatNobodyWantsIsFoundWhateverItsSize() throws InterruptedException {
    driver.create =
        asked ->
            asked.requiredBytes() > 0
                ? new Reply.Refused<>(StatusCode.ALREADY_EXISTS, "another size")
                : volumeOf(1);
    assertThat(made(unwanted(order("empty"), false))).isInstanceOf(ProvisionResult.Made.class);
    assertThat(made(order("empty"))).as("who wants it").isInstanceOf(ProvisionResult.Failed.class);
  }

  /** What it was to be filled from, and its class, may be gone by then. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatNobodyWantsIsFoundWhateverItHolds(boolean deleted) throws InterruptedException {
    cluster.remove(Kind.VOLUME, V);
    cluster.remove(Kind.ATTRIBUTES_CLASS, GOLD);
    driver.create = asked -> volumeOf(asked.requiredBytes());
    assertThat(made(unwanted(order("clone"), deleted))).isInstanceOf(ProvisionResult.Made.class);
    assertThat(volumes.plan(order("clone"))).as("who wants it").isInstanceOf(Plan.Not.class);
  }

  /** The next try finds it by its name. */
  @Test
  void whatCannotBeUsedIsTakenBackOnceInATry() throws InterruptedException {
    driver.create = asked -> volumeOf(asked.requiredBytes() / 2);
    driver.delete = new Reply.Refused<>(StatusCode.UNAVAILABLE, "not now");
    ProvisionResult.Unusable unusable = (ProvisionResult.Unusable) made(order("empty"));
    assertThat(driver.deletions).as("it may be saved").hasValue(0);
    assertThat(unusable.rollback().run()).isInstanceOf(Destroying.Failed.class);
    assertThat(driver.deletions).hasValue(1);
  }
}
