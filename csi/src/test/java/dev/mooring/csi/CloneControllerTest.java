package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.CsiConfig.DataSources;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.FillSourceRules;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.Reflector;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finalizers of claims and snapshots while they are copied. */
class CloneControllerTest {
  private static final int HELD = 1000;
  private static final ObjectKey COPY = ObjectKey.of("ns", "copy");

  /** Counts reads of finalizers. */
  private final class Counted extends AbstractList<String> {
    @Override
    public String get(int index) {
      finalizerReads.increment();
      return FillSourceRules.CLAIM_IN_USE;
    }

    @Override
    public int size() {
      return 1;
    }
  }

  private final LongAdder finalizerReads = new LongAdder();
  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();
  private final SystemTime time = new SystemTime();
  private final Informer<Claim> claims = cluster.informers().of(Kind.CLAIM);
  private final Reflector<Claim> reflector =
      new Reflector<>(claims, GivenListWatch.empty(), time, () -> 0.5);
  private final List<PartialObject> snapshots = new CopyOnWriteArrayList<>();
  private final AtomicInteger snapshotLists = new AtomicInteger();
  private final AtomicInteger unansweredLists = new AtomicInteger();
  private final GivenListWatch<PartialObject> allSnapshots =
      new GivenListWatch<>(this::listSnapshots);
  private final FakeDriver driver = new FakeDriver();
  private DriverBridge bridge = bridge(DataSources.DEFAULTS);
  private ControllerRuntime controller = new ControllerRuntime(bridge.clonesSpec(), time);

  private List<PartialObject> listSnapshots() throws ListWatchException {
    if (unansweredLists.getAndDecrement() > 0) {
      throw new ListWatchException(ListWatchException.Reason.FAILED, "no answer");
    }
    snapshotLists.incrementAndGet();
    return snapshots;
  }

  private DriverBridge bridge(DataSources sources) {
    return new DriverBridge(
        new CsiBridge.Driver("d", driver, CsiConfig.DEFAULTS.with(sources), DriverNames.OF_VOLUMES),
        allSnapshots,
        cluster.informers(),
        TestPorts.of(server, cluster, time),
        new DeletionBreaker(0, Duration.ofMinutes(10), time));
  }

  private void start() throws InterruptedException {
    reflector.start();
    controller.start();
  }

  /** Starts with a driver that supports snapshots. */
  private void startWithSnapshots() throws InterruptedException {
    start();
    becomeReady();
  }

  /** Makes the driver ready, so that all snapshots are listed. */
  private void becomeReady() {
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(
                "d",
                "1",
                Set.of(
                    DriverCapability.CONTROLLER_SERVICE, DriverCapability.CREATE_DELETE_SNAPSHOT)));
    bridge.session().start();
    TestWait.until("snapshots are listed", () -> snapshotLists.get() > 0);
  }

  @AfterEach
  void stop() throws InterruptedException {
    controller.stop(Duration.ofSeconds(5));
    bridge.session().stop();
    reflector.stop();
    time.close();
  }

  /** Creates a deleted claim with our finalizer. */
  private Claim protectedClaim(String name) {
    return cluster.put(
        Kind.CLAIM,
        TestObjects.claim("ns", name)
            .deleted(1)
            .finalizer(FillSourceRules.CLAIM_IN_USE)
            .phase(ClaimPhase.BOUND)
            .build());
  }

  private boolean exists(Claim claim) {
    return cluster.read(Kind.CLAIM, claim.key()).toOptional().isPresent();
  }

  /** Creates a copy of the claim. */
  private void copy() {
    copyOf("", "PersistentVolumeClaim", "", "source");
  }

  private void copyOf(String group, String kind, String namespace, String name) {
    copyOf(COPY, group, kind, namespace, name);
  }

  private void copyOf(ObjectKey copy, String group, String kind, String namespace, String name) {
    cluster.create(
        Kind.CLAIM,
        copy,
        Document.empty()
            .set(
                Map.of("apiGroup", group, "kind", kind, "namespace", namespace, "name", name),
                "spec",
                "dataSource"));
  }

  /** Binds the copy. */
  private void bindCopy() {
    cluster.patchStatus(
        Kind.CLAIM, COPY, Document.empty().set(ClaimPhase.BOUND.toString(), "status", "phase"));
  }

  private PartialObject snapshot(String name, String... finalizers) {
    PartialObject snapshot =
        cluster.put(
            DataSource.SNAPSHOT,
            TestObjects.partialObject("ns", name).finalizers(List.of(finalizers)).build());
    snapshots.add(snapshot);
    return snapshot;
  }

  private void restore(String version) {
    copyOf("snapshot.storage.k8s.io", "VolumeSnapshot", "", version);
  }

  private void awaitIdle() {
    TestWait.until("the controller is idle", controller::isIdle);
  }

  @Test
  void claimChange_manyProtectedClaims_costsTheSame() throws InterruptedException {
    start();
    copy();
    for (int i = 0; i < HELD; i++) {
      Claim protectedClaim = TestObjects.claim("ns", "held" + i).version(i + 1).deleted(1).build();
      claims.applyOwnWrite(
          protectedClaim.withMeta(
              protectedClaim
                  .meta()
                  .withFinalizers(new Counted()))); // a copy of the list would count
    }
    awaitIdle();
    server.clearRequests();
    finalizerReads.reset();
    for (int i = 0; i < 100; i++) {
      cluster.patch(Kind.CLAIM, COPY, Document.empty().set("" + i, "metadata", "labels", "n"));
    }
    awaitIdle();
    assertThat(finalizerReads.sum()).isLessThan(HELD);
    assertThat(server.writes()).isEmpty();
  }

  @Test
  void claim_lastCopyBound_isReleased() throws InterruptedException {
    start();
    copy();
    Claim source = protectedClaim("source");
    awaitIdle();
    assertThat(server.writes()).isEmpty();
    bindCopy();
    awaitIdle();
    assertThat(server.writes()).hasSize(1);
    assertThat(exists(source)).isFalse();
  }

  @Test
  void claim_lastCopyDeleted_isReleased() throws InterruptedException {
    start();
    copy();
    Claim source = protectedClaim("source");
    awaitIdle();
    assertThat(server.writes()).isEmpty();
    cluster.remove(Kind.CLAIM, COPY);
    awaitIdle();
    assertThat(server.writes()).hasSize(1);
    assertThat(exists(source)).isFalse();
  }

  /** Claims with other sources protect nothing. */
  @ParameterizedTest
  @CsvSource({
    "'',                      PersistentVolumeClaim, '',    other",
    "'',                      PersistentVolumeClaim, other, source",
    "snapshot.storage.k8s.io, VolumeSnapshot,        '',    source",
    "example.com,             Image,                 '',    source",
  })
  void claim_otherSourcesCopied_isReleased(String group, String kind, String namespace, String name)
      throws InterruptedException {
    start();
    copyOf(group, kind, namespace, name);
    Claim source = protectedClaim("source");
    awaitIdle();
    assertThat(server.writes()).hasSize(1);
    assertThat(exists(source)).isFalse();
  }

  @Test
  void snapshot_lastRestoreBound_isReleased() throws InterruptedException {
    startWithSnapshots();
    restore("s");
    PartialObject protectedClaim = snapshot("s", "other", FillSourceRules.SNAPSHOT_IN_USE);
    awaitIdle();
    assertThat(server.writes()).isEmpty();
    bindCopy();
    awaitIdle();
    assertThat(server.writes()).hasSize(1);
    assertThat(cluster.get(DataSource.SNAPSHOT, protectedClaim.key()).meta().finalizers())
        .containsExactly("other");
  }

  /** Otherwise nothing would check for minutes. */
  @Test
  void sweep_listUnanswered_isRetriedSoon() throws InterruptedException {
    snapshot("orphan", FillSourceRules.SNAPSHOT_IN_USE);
    unansweredLists.set(2);
    startWithSnapshots();
    awaitIdle();
    assertThat(server.writes()).hasSize(1);
  }

  /** An orphan of an earlier process, a snapshot in use, and one without our finalizer. */
  @Test
  void sweep_orphanSnapshot_isReleased() throws InterruptedException {
    snapshot("used", FillSourceRules.SNAPSHOT_IN_USE);
    PartialObject orphan = snapshot("orphan", FillSourceRules.SNAPSHOT_IN_USE);
    snapshot("free", "other");
    start();
    restore("used");
    becomeReady();
    TestWait.until("the finalizer is removed", () -> !server.writes().isEmpty());
    awaitIdle();
    assertThat(server.writes())
        .singleElement()
        .satisfies(write -> assertThat(write.key()).isEqualTo(orphan.key()));
    assertThat(cluster.get(DataSource.SNAPSHOT, orphan.key()).meta().finalizers()).isEmpty();
  }

  @Test
  void snapshot_writeForbidden_isNotRetried() throws InterruptedException {
    startWithSnapshots();
    restore("s");
    snapshot("s", FillSourceRules.SNAPSHOT_IN_USE);
    awaitIdle();
    server.onWrite(write -> new WriteResult.Rejected<>(403, "no"));
    bindCopy();
    awaitIdle();
    assertThat(server.writes()).hasSize(1);
  }

  /** The claim relies on a finalizer that it has seen; its removal must not start meanwhile. */
  @Test
  void snapshot_gateOccupied_isNotReleased() throws InterruptedException {
    startWithSnapshots();
    CloneSource source = new CloneSource(CloneSource.Type.SNAPSHOT, ObjectKey.of("ns", "s"));
    assertThat(bridge.gate().tryRelease(source)).isTrue();
    bridge.gate().endRelease(source);
    snapshot("s", FillSourceRules.SNAPSHOT_IN_USE);
    restore("s");
    awaitIdle();
    bridge.gate().tryRelease(source); // as if another release were running: it must not enter
    bindCopy();
    TestWait.until("the queue is empty", () -> controller.queueStats().getFirst().depth() == 0);
    assertThat(server.writes()).isEmpty();
    bridge.gate().endRelease(source);
    TestWait.until("the finalizer is removed", () -> !server.writes().isEmpty());
  }

  /** A name that no object can have is never requested. */
  @Test
  void claim_copyWithInvalidSourceName_isReleased() throws InterruptedException {
    startWithSnapshots();
    restore("../x");
    Claim source = protectedClaim("source");
    awaitIdle();
    assertThat(server.writes()).hasSize(1);
    assertThat(exists(source)).isFalse();
  }

  private static final ObjectKey FOREIGN = ObjectKey.of("tenant", "copy");

  private void startAcrossNamespaces() throws InterruptedException {
    bridge = bridge(new DataSources(DataSources.DEFAULTS.sweepPeriod(), true, false));
    controller = new ControllerRuntime(bridge.clonesSpec(), time);
    start();
  }

  private final Informer<ReferenceGrant> grants = cluster.informers().of(ReferenceGrant.KIND);

  /** Sets the grants of the API server. */
  private void grants(ReferenceGrant... grantList) {
    server.onRead(request ->
        request.kind().equals(ReferenceGrant.KIND)
            ? new ReadResult.Found<>(List.of(grantList))
            : null);
  }

  @Test
  void foreignClaim_withoutGrant_keepsNoSource() throws InterruptedException {
    grants();
    startAcrossNamespaces();
    copyOf(FOREIGN, "", "PersistentVolumeClaim", "ns", "source");
    Claim source = protectedClaim("source");
    awaitIdle();
    assertThat(exists(source)).isFalse();
  }

  /** The claim of the same namespace ends first; the foreign one never does. */
  @Test
  void foreignClaim_withoutGrant_keepsNoSourceAfterTheEndOfOwnCopies() throws InterruptedException {
    startAcrossNamespaces();
    copyOf(FOREIGN, "", "PersistentVolumeClaim", "ns", "source");
    copy();
    Claim source = protectedClaim("source");
    awaitIdle();
    assertThat(exists(source)).isTrue();
    bindCopy();
    awaitIdle();
    assertThat(exists(source)).isFalse();
  }

  @Test
  void foreignClaim_withGrant_keepsSourceUntilGrantIsWithdrawn() throws InterruptedException {
    ReferenceGrant grant =
        TestObjects.referenceGrant("ns", "g")
            .version(1)
            .from(List.of(new ReferenceGrant.From("", "PersistentVolumeClaim", "tenant")))
            .to(List.of(new ReferenceGrant.To("", "PersistentVolumeClaim", "source")))
            .build();
    grants(grant);
    grants.applyOwnWrite(grant);
    startAcrossNamespaces();
    copyOf(FOREIGN, "", "PersistentVolumeClaim", "ns", "source");
    Claim source = protectedClaim("source");
    awaitIdle();
    assertThat(exists(source)).isTrue();
    grants();
    grants.applyOwnDeletion(grant.key(), grant.meta().uid());
    awaitIdle();
    assertThat(exists(source)).isFalse();
  }

  /** The API server does not answer for the tenant's claims, or the tenant creates thousands. */
  @Test
  void foreignClaim_notReadYetAndWithoutGrant_keepsNoSource() throws InterruptedException {
    server.onRead(request ->
        request.kind().equals(ReferenceGrant.KIND)
            ? new ReadResult.Found<>(List.of())
            : request.key().namespace().equals("tenant")
                ? new ReadResult.Failed<>("no answer")
                : null);
    startAcrossNamespaces();
    copyOf(FOREIGN, "", "PersistentVolumeClaim", "ns", "source");
    Claim source = protectedClaim("source");
    TestWait.until("the source is gone", () -> !exists(source));
  }

  @Test
  void source_grantsUnanswered_isKept() throws InterruptedException {
    server.onRead(request ->
        request.kind().equals(ReferenceGrant.KIND) ? new ReadResult.Failed<>("no answer") : null);
    startAcrossNamespaces();
    copyOf(FOREIGN, "", "PersistentVolumeClaim", "ns", "source");
    Claim source = protectedClaim("source");
    TestWait.until(
        "the API server is asked for grants",
        () -> server.requests().stream().anyMatch(r -> r.kind().equals(ReferenceGrant.KIND)));
    assertThat(exists(source)).isTrue();
    grants();
    TestWait.until("the source is gone", () -> !exists(source));
  }
}
