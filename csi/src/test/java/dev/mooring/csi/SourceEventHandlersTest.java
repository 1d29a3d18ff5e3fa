package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.testkit.Builders;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who waits for something else than the driver, and is told when that has come. */
class SourceEventHandlersTest extends SourcesFixture {
  /** Each is told once; until it has been looked at again it is not told again. */
  @Test
  void whoIsCopiedFromAClaimIsToldWhenThatIsBound() throws InterruptedException {
    beginWithoutPlaces();
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Not.class);
    source(ClaimPhase.PENDING, VolumePhase.BOUND);
    assertThat(told).as("it is there").containsExactly("one");
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Not.class);
    assertThat(plan("two", COPY)).isInstanceOf(Plan.Not.class);
    assertThat(plan("free", Map.of())).isInstanceOf(Plan.Ask.class);

    cluster.patch(Kind.CLAIM, SOURCE, Document.empty().set(Map.of("n", "1"), "metadata", "labels"));
    assertThat(told).as("what says nothing").isEmpty();
    source(ClaimPhase.BOUND, VolumePhase.BOUND);
    assertThat(told).containsExactlyInAnyOrder("one", "two");
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Ask.class);
  }

  /** The claim may be bound before its volume says so. */
  @Test
  void whoIsCopiedFromAClaimIsToldWhenItsVolumeIsBound() throws InterruptedException {
    beginWithoutPlaces();
    source(ClaimPhase.BOUND, VolumePhase.AVAILABLE);
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Not.class);
    source(ClaimPhase.BOUND, VolumePhase.BOUND);
    assertThat(told).containsExactly("one");
  }

  /** However often a snapshot says what is wrong with it, that costs those who wait nothing. */
  @Test
  void whoIsFilledFromASnapshotIsToldWhenThatIsReady() throws InterruptedException {
    beginWithoutPlaces();
    assertThat(plan("one", RESTORED)).isInstanceOf(Plan.Not.class);
    snapshot(false, "");
    assertThat(told).as("it is there").containsExactly("one");
    assertThat(plan("one", RESTORED)).isInstanceOf(Plan.Not.class);
    content("");
    assertThat(told).as("its content is there").containsExactly("one");
    assertThat(plan("one", RESTORED)).isInstanceOf(Plan.Not.class);

    snapshot(false, "the driver is busy");
    snapshot(false, "the driver is busy still");
    assertThat(told).as("what says nothing").isEmpty();
    snapshot(true, "");
    assertThat(told).as("it says that it is ready").containsExactly("one");
    assertThat(plan("one", RESTORED)).isInstanceOf(Plan.Not.class);
    content("snap-1");
    assertThat(told).as("so does its content").containsExactly("one");
    assertThat(plan("one", RESTORED)).isInstanceOf(Plan.Ask.class);
  }

  /** What the driver is owed is its back-off, whatever becomes of what it was asked for. */
  @Test
  void whoWaitsForTheDriverIsToldOfNothing() throws InterruptedException {
    beginWithoutPlaces();
    source(ClaimPhase.BOUND, VolumePhase.BOUND);
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Ask.class);
    source(ClaimPhase.LOST, VolumePhase.FAILED);
    source(ClaimPhase.BOUND, VolumePhase.BOUND);
    cluster.put(Kind.STORAGE_CLASS, storageClass());
    assertThat(told).isEmpty();
  }

  @Test
  void whoWaitsIsToldOfItsClass() throws InterruptedException {
    beginWithoutPlaces();
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Not.class);
    cluster.put(
        Kind.STORAGE_CLASS,
        Builders.storageClass(ObjectKey.cluster("slow")).provisioner(DRIVER).build());
    assertThat(told).as("another class").isEmpty();
    cluster.put(Kind.STORAGE_CLASS, storageClass());
    assertThat(told).containsExactly("one");
  }

  @Test
  void whoIsGoneIsToldOfNothing() throws InterruptedException {
    beginWithoutPlaces();
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Not.class);
    storage().volumes().forget(Uid.of("one"));
    source(ClaimPhase.BOUND, VolumePhase.BOUND);
    assertThat(told).isEmpty();
  }

  @Test
  void whoIsFilledFromAnotherNamespaceIsToldOfItsGrants() throws InterruptedException {
    beginWithoutPlaces();
    assertThat(
            plan("one", Map.of("kind", "PersistentVolumeClaim", "name", "x", "namespace", "other")))
        .isInstanceOf(Plan.Not.class);
    cluster
        .informers()
        .of(ReferenceGrant.KIND)
        .wrote(Builders.referenceGrant("elsewhere", "g").build());
    assertThat(told).isEmpty();
    cluster
        .informers()
        .of(ReferenceGrant.KIND)
        .wrote(Builders.referenceGrant("other", "g").build());
    assertThat(told).containsExactly("one");
  }

  @Test
  void whoHasNoPlaceIsToldOfTheFirstNodeOfTheDriver() throws InterruptedException {
    begin();
    assertThat(plan("one", Map.of())).isInstanceOf(Plan.Not.class);
    node("n1", Map.of("zone", "z"));
    driverOn("n1", "another", "zone");
    assertThat(told).as("another driver's").isEmpty();
    driverOn("n1", DRIVER, "zone");
    assertThat(told).containsExactly("one");
    assertThat(plan("one", Map.of())).isInstanceOf(Plan.Ask.class);
  }

  @Test
  void whoseNodeWasSelectedIsToldOfItsDriverAndItsLabels() throws InterruptedException {
    begin();
    Claim claim = claim("one", ClaimPhase.PENDING, "", false);
    node("n1", Map.of());
    assertThat(plan(claim, Map.of(), "n1")).isInstanceOf(Plan.Not.class);
    driverOn("n2", DRIVER, "zone");
    assertThat(told).as("another node's").isEmpty();
    driverOn("n1", DRIVER, "zone");
    assertThat(told).containsExactly("one");
    assertThat(plan(claim, Map.of(), "n1")).isInstanceOf(Plan.Not.class);
    node("n1", Map.of("other", "o"));
    assertThat(told).as("another label").isEmpty();
    node("n1", Map.of("zone", "z"));
    assertThat(told).containsExactly("one");
    assertThat(plan(claim, Map.of(), "n1")).isInstanceOf(Plan.Ask.class);
  }

  /** What the other nodes are is none of the business of a node's own instance. */
  @Test
  void anInstanceOfANodeIsToldOfThatNode() throws InterruptedException {
    begin(
        config(
            false,
            Optional.of(
                new CsiConfig.NodeDeployment("n1", true, Duration.ZERO, Duration.ofSeconds(1)))));
    assertThat(plan("one", Map.of())).isInstanceOf(Plan.Not.class);
    node("n2", Map.of("zone", "z"));
    driverOn("n2", DRIVER, "zone");
    assertThat(told).isEmpty();
    node("n1", Map.of("zone", "z"));
    driverOn("n1", DRIVER, "zone");
    assertThat(told).containsExactly("one");
  }

  /** Somebody else watches them here: the controller that protects them, say. */
  @Test
  void whoNamesAnAttributesClassIsToldOfItIfItIsWatched() throws InterruptedException {
    cluster.informers().of(Kind.ATTRIBUTES_CLASS);
    beginWithoutPlaces();
    Claim claim =
        Builders.like(claim("one", ClaimPhase.PENDING, "", false)).attributesClass("gold").build();
    assertThat(plan(claim, Map.of(), null)).isInstanceOf(Plan.Not.class);
    cluster.put(
        Kind.ATTRIBUTES_CLASS,
        new AttributesClass(
            Builders.metaOf(ObjectKey.cluster("gold")).meta(), DRIVER, Map.of("iops", "1")));
    assertThat(told).containsExactly("one");
  }

  /** What is as it has to be is not waited for: each look would make its back-off longer. */
  @Test
  void whoHasAPlaceAndWaitsForSomethingElseIsNotToldOfNodes() throws InterruptedException {
    begin();
    node("n1", Map.of("zone", "z"));
    driverOn("n1", DRIVER, "zone");
    Claim claim =
        Builders.like(claim("one", ClaimPhase.PENDING, "", false)).attributesClass("gold").build();
    assertThat(plan(claim, Map.of(), null)).isInstanceOf(Plan.Not.class);
    node("n2", Map.of("zone", "y"));
    driverOn("n2", DRIVER, "zone");
    assertThat(told).isEmpty();
  }

  /** Without that nobody needs a right to watch snapshots. */
  @Test
  void snapshotsAreWatchedWhereTheyAreMadeFromHere() throws InterruptedException {
    begin(config(false, Optional.empty()));
    assertThat(cluster.informers().find(Kind.SNAPSHOT)).isEmpty();
    begin(config(true, Optional.empty()));
    assertThat(cluster.informers().find(Kind.SNAPSHOT)).isPresent();
  }

  /** What it saw of it may be past: it is told when it has ended, and only if it could not ask. */
  @Test
  void whatChangesWhileItIsLookedAtIsNotMissed() throws InterruptedException {
    beginWithoutPlaces();
    source(ClaimPhase.PENDING, VolumePhase.BOUND);
    server.onRead(request -> {
      if (!request.key().equals(SOURCE)) {
        return null;
      }
      ReadResult<Claim> seen = cluster.read(Kind.CLAIM, SOURCE);
      source(ClaimPhase.BOUND, VolumePhase.BOUND);
      return seen;
    });
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Not.class);
    assertThat(told).containsExactly("one");

    server.onRead(request -> {
      if (request.kind().equals(Kind.VOLUME)) {
        volume(VolumePhase.AVAILABLE);
        volume(VolumePhase.BOUND);
      }
      return null;
    });
    assertThat(plan("one", COPY)).isInstanceOf(Plan.Ask.class);
    assertThat(told).as("the driver is asked anyway").isEmpty();
  }
}
