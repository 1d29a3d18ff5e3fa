package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.FakeServer;
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
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.OperationStats;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.NodeStorage.Fit;
import dev.mooring.storage.NodeStorage.Where;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.testkit.Builders;
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

  private final FakeServer server = new FakeServer();
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
    server.wholes.put(SECRET, Map.of("data", Map.of()));
    server.objects.put(
        ObjectKey.cluster("gold"),
        new AttributesClass(meta(ObjectKey.cluster("gold"), Map.of()), DRIVER, Map.of()));
    server.objects.put(SOURCE, claim("source", "", ContentRules.CLAIM_IN_USE));
    server.objects.put(V, volume(Map.of()));
    snapshot(ContentRules.SNAPSHOT_IN_USE);
    server.wholes.put(
        ObjectKey.cluster("content"),
        Map.of(
            "spec",
            Map.of(
                "driver",
                DRIVER,
                "volumeSnapshotRef",
                Map.of("namespace", "ns", "name", "snap", "uid", "s-uid")),
            "status",
            Map.of("snapshotHandle", "snap-1")));
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
    server.objects.put(SNAPSHOT, new PartialObject(meta(SNAPSHOT, Map.of(), finalizers)));
    server.wholes.put(
        SNAPSHOT,
        Map.of(
            "metadata",
            Map.of("uid", "s-uid", "finalizers", List.of(finalizers)),
            "status",
            Map.of("boundVolumeSnapshotContentName", "content", "readyToUse", true)));
  }

  @AfterEach
  void stop() throws InterruptedException {
    session.stop();
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
    server.wholes.put(CLAIM, Map.of("spec", Map.of("dataSourceRef", source)));
    return new Order(
        "pvc-u",
        filled(claim("c", "gold"), !source.isEmpty()),
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
    server.silent.add(silent);
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
    server.silent.add("persistentvolumeclaims");
    assertThat(volumes.plan(order("empty"))).isInstanceOf(Plan.Ask.class);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"empty, vault, keys", "snapshot, '', content", "clone, '', v"})
  void whatIsNotThereIsAnAnswer(String filling, String namespace, String missing)
      throws InterruptedException {
    server.wholes.remove(new ObjectKey(namespace, missing));
    server.objects.remove(new ObjectKey(namespace, missing));
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Not.class);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"snapshot", "clone"})
  void aSourceThatCouldNotBeHeldForWantOfAnAnswerIsHeldSoon(String filling)
      throws InterruptedException {
    snapshot();
    server.objects.put(SOURCE, claim("source", ""));
    server.answers.add(new WriteResult.Unreachable<>("away"));
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Unknown.class);
    server.answers.add(new WriteResult.Conflict<>("changed"));
    assertThat(volumes.plan(order(filling))).isInstanceOf(Plan.Not.class);
  }

  /** A driver that misses its credentials may find no volume, and call that destroyed. */
  @Test
  void nothingIsDestroyedWithoutCredentialsThatWereNotSaid() throws InterruptedException {
    Volume protectedBySecret =
        volume(
            Map.of(DELETION + "name", SECRET.name(), DELETION + "namespace", SECRET.namespace()));
    server.silent.add("secrets");
    assertThat(volumes.destroy(protectedBySecret)).isInstanceOf(Destroying.Unknown.class);
    assertThat(driver.deletions).hasValue(0);
    server.silent.clear();
    server.wholes.remove(SECRET);
    assertThat(volumes.destroy(protectedBySecret))
        .as("they are gone")
        .isInstanceOf(Destroying.Destroyed.class);
    server.forbidden.add("secrets");
    assertThat(volumes.destroy(protectedBySecret))
        .as("with their namespace the right to read them is gone")
        .isInstanceOf(Destroying.Destroyed.class);
    assertThat(driver.deletions).hasValue(2);
  }

  @Test
  void aNodeStandsForNothingThatIsNotSaid() throws InterruptedException {
    OnNode node = new OnNode(session, "n1", driverNodes, server, volumes);
    server.silent.add("secrets");
    assertThat(node.fit(order("empty"))).isEqualTo(Fit.UNANSWERED);
    server.silent.clear();
    server.wholes.remove(SECRET);
    assertThat(node.fit(order("empty"))).isEqualTo(Fit.UNKNOWN);
  }

  @Test
  void whoseAVolumeIsIsNotKnownBeforeItIsSaid() throws InterruptedException {
    OnNode node = new OnNode(session, "n1", driverNodes, server, volumes);
    server.silent.add("persistentvolumes");
    assertThat(node.where(claim("c", ""), volume(Map.of()))).isEqualTo(Where.UNANSWERED);
    server.silent.clear();
    server.wholes.put(V, Map.of());
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
    server.objects.remove(V);
    server.objects.remove(ObjectKey.cluster("gold"));
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
