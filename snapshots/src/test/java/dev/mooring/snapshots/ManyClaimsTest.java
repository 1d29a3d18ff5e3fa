package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.RunningController;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Cost of many deleted claims and snapshots, and the effect of one namespace on others. */
class ManyClaimsTest {
  private static final int MANY = 501;
  private static final String DRIVER = "csi.example.com";

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();

  private SnapshotController controller(Time time) {
    return new SnapshotController(
        new SnapshotConfig(false, false, Duration.ZERO),
        cluster.informers(),
        TestPorts.of(server, cluster, time));
  }

  /** Creates a deleted claim with our finalizer. */
  private ObjectKey delete(String namespace, int number) {
    ObjectKey key = ObjectKey.of(namespace, "c" + number);
    Volume volume =
        cluster.put(
            Kind.VOLUME,
            TestObjects.volume(namespace + "-" + number)
                .source(VolumeSource.csi(DRIVER, namespace + number))
                .claimRef(new ClaimRef(key, TestObjects.claim(key).meta().uid()))
                .build());
    cluster.put(
        Kind.CLAIM,
        TestObjects.claim(key)
            .boundTo(volume)
            .finalizer(VolumeSnapshot.CLAIM_PROTECTION)
            .finalizer("example.com/other")
            .deleted(2)
            .build());
    return key;
  }

  private boolean isReleased(ObjectKey claim) {
    return !cluster
        .get(Kind.CLAIM, claim)
        .meta()
        .finalizers()
        .contains(VolumeSnapshot.CLAIM_PROTECTION);
  }

  private long requests(Verb verb, Kind<?> kind) {
    return server.requests().stream()
        .filter(request -> request.verb() == verb && request.kind().equals(kind))
        .count();
  }

  @Test
  void deletedClaims_manyOfOneNamespace_shareOneListOfEachKind() throws InterruptedException {
    StepwiseController steps = new StepwiseController(controller(time).spec(), time);
    steps.startWithoutFirstPasses();
    for (int i = 0; i < MANY; i++) {
      delete("ns", i);
    }
    time.advance(Duration.ofMillis(1));
    steps.settle();
    for (int i = 0; i < MANY; i++) {
      assertThat(isReleased(ObjectKey.of("ns", "c" + i))).isTrue();
    }
    assertThat(requests(Verb.LIST, Kind.SNAPSHOT)).isEqualTo(1);
    assertThat(requests(Verb.LIST, Kind.SNAPSHOT_CONTENT)).isEqualTo(1);
  }

  /** The list may lack objects created between the list and the deletion of the claim. */
  @Test
  void deletedClaim_afterList_isListedAgain() throws InterruptedException {
    StepwiseController steps = new StepwiseController(controller(time).spec(), time);
    steps.startWithoutFirstPasses();
    delete("ns", 0);
    time.advance(Duration.ofMillis(1));
    steps.settle();
    delete("ns", 1);
    time.advance(Duration.ofMillis(1));
    steps.settle();
    assertThat(requests(Verb.LIST, Kind.SNAPSHOT_CONTENT)).isEqualTo(2);
  }

  @Test
  void deletedSnapshots_manyOfOneNamespace_readEachWaitingClaimOnce() throws InterruptedException {
    StepwiseController steps = new StepwiseController(controller(time).spec(), time);
    steps.startWithoutFirstPasses();
    int waiting = 30;
    for (int i = 0; i < waiting; i++) {
      ObjectKey key = ObjectKey.of("ns", "w" + i);
      cluster.put(
          Kind.CLAIM, TestObjects.claim(key).hasDataSource(true).phase(ClaimPhase.PENDING).build());
      Map<String, Object> source =
          Map.of("apiGroup", Kind.SNAPSHOT.group(), "kind", "VolumeSnapshot", "name", "s" + i);
      cluster.patch(Kind.CLAIM, key, Document.empty().set(source, "spec", "dataSource"));
    }
    for (int i = 0; i < waiting; i++) {
      VolumeSnapshot snapshot =
          cluster.put(
              Kind.SNAPSHOT,
              TestObjects.volumeSnapshot("ns", "s" + i)
                  .uid("s" + i)
                  .sourceClaim("gone")
                  .finalizer(VolumeSnapshot.SOURCE_PROTECTION)
                  .deleted(2)
                  .build());
      cluster.put(
          Kind.SNAPSHOT_CONTENT,
          TestObjects.snapshotContent(snapshot.generatedContentName())
              .snapshot(new SnapshotContent.Ref(snapshot.key(), snapshot.meta().uid()))
              .source(new SnapshotContent.Source("v", ""))
              .build());
    }
    steps.settle();
    for (int i = 0; i < waiting; i++) { // each is processed again, and waits again
      cluster.patch(
          Kind.SNAPSHOT,
          ObjectKey.of("ns", "s" + i),
          Document.empty().set("x", "metadata", "labels", "l"));
    }
    steps.settle();
    assertThat(cluster.events()).hasSizeGreaterThanOrEqualTo(2 * waiting);
    assertThat(requests(Verb.GET_WHOLE, Kind.CLAIM)).isEqualTo(waiting);
    cluster.remove(Kind.CLAIM, ObjectKey.of("ns", "w7"));
    server.clearRequests();
    steps.settle();
    assertThat(server.requests())
        .as("the end of a restore reconciles one snapshot")
        .allMatch(read -> read.toString().contains("s7"))
        .isNotEmpty();
  }

  @Test
  void deletedClaims_ofSlowNamespace_leaveWorkersToOtherNamespaces() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger listing = new AtomicInteger();
    server.onRead(read -> {
      if (read.verb() == Verb.LIST && read.key().namespace().equals("slow")) {
        listing.incrementAndGet();
        await(gate);
      }
      return null;
    });
    try (SystemTime real = new SystemTime();
        RunningController _ = RunningController.start(controller(real).spec(), real)) {
      for (int i = 0; i < 40; i++) {
        delete("slow", i);
      }
      TestWait.until("the slow namespace is listed", () -> listing.get() > 0);
      ObjectKey otherClaim = delete("ns", 0);
      TestWait.until("the other claim is released", () -> isReleased(otherClaim));
      assertThat(listing).as("one worker waits for the namespace").hasValue(1);
      gate.countDown();
      TestWait.until("all are released", () -> isReleased(ObjectKey.of("slow", "c39")));
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
