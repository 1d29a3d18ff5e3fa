package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.CsiConfig.Sources;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.execute.BlockedClaims;
import dev.mooring.csi.execute.DataSources;
import dev.mooring.csi.execute.DriverFinalizers;
import dev.mooring.csi.execute.DriverReporter;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.SnapshotHolds;
import dev.mooring.csi.execute.SourceGate;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.Reflector;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.Resource;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.Patience;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Claims that are held because others are copied from them. */
@Timeout(300)
class CloneControllerTest {
  private static final int HELD = 1000;
  private static final ObjectKey COPY = ObjectKey.of("ns", "copy");

  /** Nothing ever comes but what is there. */
  private static final class Empty<T extends Resource> implements ListWatch<T> {
    private final List<T> there;
    private final AtomicInteger lists = new AtomicInteger();
    private final AtomicInteger silent = new AtomicInteger();

    Empty(List<T> there) {
      this.there = there;
    }

    @Override
    public boolean streamsLists() {
      return false;
    }

    @Override
    public long list(Consumer<T> each) throws ListWatchException {
      if (silent.getAndDecrement() > 0) {
        throw new ListWatchException(ListWatchException.Why.FAILED, "no answer");
      }
      there.forEach(each);
      lists.incrementAndGet();
      return 0;
    }

    @Override
    public Page head(int most, Consumer<T> each) {
      return new Page(0, true);
    }

    @Override
    public void catchUp(long from, Sink<T> sink) {}

    @Override
    public void watch(long from, boolean everything, Sink<T> sink) throws InterruptedException {
      Thread.sleep(Duration.ofHours(1));
    }
  }

  /** Finalizers that count who looks at them. */
  private final class Counted extends AbstractList<String> {
    @Override
    public String get(int index) {
      looks.increment();
      return ContentRules.CLAIM_IN_USE;
    }

    @Override
    public int size() {
      return 1;
    }
  }

  private final LongAdder looks = new LongAdder();
  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();
  private final SystemTime time = new SystemTime();
  private final Informer<Claim> claims = cluster.informers().of(Kind.CLAIM);
  private final Reflector<Claim> reflector =
      new Reflector<>(claims, new Empty<>(List.of()), time, () -> 0.5);
  private final List<PartialObject> snapshots = new CopyOnWriteArrayList<>();
  private final Empty<PartialObject> allSnapshots = new Empty<>(snapshots);
  private final FakeDriver driver = new FakeDriver();
  private final DriverSession session = new DriverSession("d", driver, time, new OperationStats());
  private final SourceGate gate = new SourceGate();
  private ControllerRuntime controller =
      new ControllerRuntime(controller(Sources.DEFAULTS).spec(), time);

  private CloneController controller(Sources config) {
    DriverFinalizers finalizers = new DriverFinalizers(server);
    return new CloneController(
        session,
        config,
        cluster.informers(),
        new CloneController.Parts(
            new DataSources(server),
            finalizers,
            new SnapshotHolds(
                server, finalizers, allSnapshots, new DriverReporter(event -> {}, "d")),
            gate,
            new BlockedClaims()),
        time);
  }

  private void start() throws InterruptedException {
    reflector.start();
    controller.start();
  }

  /** With a driver that knows snapshots. */
  private void startWithSnapshots() throws InterruptedException {
    start();
    ready();
  }

  /** All snapshots are looked through. */
  private void ready() {
    driver.identity =
        new Reply.Ok<>(
            new Identity(
                "d", "1", Set.of(Ability.CONTROLLER_SERVICE, Ability.CREATE_DELETE_SNAPSHOT)));
    session.start();
    Patience.until("all are listed", () -> allSnapshots.lists.get() > 0);
  }

  @AfterEach
  void stop() throws InterruptedException {
    controller.stop(Duration.ofSeconds(5));
    session.stop();
    reflector.stop();
    time.close();
  }

  /** A claim that is deleted and was copied from once: it is held, to the server too. */
  private Claim held(String name) {
    return cluster.put(
        Kind.CLAIM,
        Builders.claim("ns", name)
            .deleted(1)
            .finalizer(ContentRules.CLAIM_IN_USE)
            .phase(ClaimPhase.BOUND)
            .build());
  }

  private boolean isThere(Claim claim) {
    return cluster.read(Kind.CLAIM, claim.key()).found().isPresent();
  }

  /** Somebody wants a copy of the claim. */
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

  /** It is filled. */
  private void copied() {
    cluster.patchStatus(
        Kind.CLAIM, COPY, Document.empty().set(ClaimPhase.BOUND.toString(), "status", "phase"));
  }

  private PartialObject snapshot(String name, String... finalizers) {
    PartialObject snapshot =
        cluster.put(
            DataSource.SNAPSHOT,
            Builders.partialObject("ns", name).finalizers(List.of(finalizers)).build());
    snapshots.add(snapshot);
    return snapshot;
  }

  private void restore(String from) {
    copyOf("snapshot.storage.k8s.io", "VolumeSnapshot", "", from);
  }

  private void settle() {
    Patience.until("it comes to rest", controller::isIdle);
  }

  @Test
  void aChangeOfACopyCostsTheSameHoweverManyClaimsAreHeld() throws InterruptedException {
    start();
    copy();
    for (int i = 0; i < HELD; i++) {
      Claim held = Builders.claim("ns", "held" + i).version(i + 1).deleted(1).build();
      claims.wrote(held.with(held.meta().withFinalizers(new Counted()))); // none may copy them
    }
    settle();
    server.forget();
    looks.reset();
    for (int i = 0; i < 100; i++) {
      cluster.patch(Kind.CLAIM, COPY, Document.empty().set("" + i, "metadata", "labels", "n"));
    }
    settle();
    assertThat(looks.sum()).isLessThan(HELD);
    assertThat(server.writes()).isEmpty();
  }

  @Test
  void theEndOfTheLastCopyLetsItsSourceGo() throws InterruptedException {
    start();
    copy();
    Claim source = held("source");
    settle();
    assertThat(server.writes()).isEmpty();
    copied();
    settle();
    assertThat(server.writes()).hasSize(1);
    assertThat(isThere(source)).isFalse();
  }

  @Test
  void aCopyThatIsGoneHoldsNobody() throws InterruptedException {
    start();
    copy();
    Claim source = held("source");
    settle();
    assertThat(server.writes()).isEmpty();
    cluster.remove(Kind.CLAIM, COPY);
    settle();
    assertThat(server.writes()).hasSize(1);
    assertThat(isThere(source)).isFalse();
  }

  /** Claims that are filled from something else hold nobody. */
  @ParameterizedTest
  @CsvSource({
    "'',                      PersistentVolumeClaim, '',    other",
    "'',                      PersistentVolumeClaim, other, source",
    "snapshot.storage.k8s.io, VolumeSnapshot,        '',    source",
    "example.com,             Image,                 '',    source",
  })
  void onlyItsOwnCopiesHoldASource(String group, String kind, String namespace, String name)
      throws InterruptedException {
    start();
    copyOf(group, kind, namespace, name);
    Claim source = held("source");
    settle();
    assertThat(server.writes()).hasSize(1);
    assertThat(isThere(source)).isFalse();
  }

  @Test
  void theEndOfTheLastRestoreLetsASnapshotGo() throws InterruptedException {
    startWithSnapshots();
    restore("s");
    PartialObject held = snapshot("s", "other", ContentRules.SNAPSHOT_IN_USE);
    settle();
    assertThat(server.writes()).isEmpty();
    copied();
    settle();
    assertThat(server.writes()).hasSize(1);
    assertThat(cluster.get(DataSource.SNAPSHOT, held.key()).meta().finalizers())
        .containsExactly("other");
  }

  /** Else nobody would look for minutes. */
  @Test
  void snapshotsAreLookedThroughAgainSoonWhereTheServerDidNotAnswer() throws InterruptedException {
    snapshot("orphan", ContentRules.SNAPSHOT_IN_USE);
    allSnapshots.silent.set(2);
    startWithSnapshots();
    settle();
    assertThat(server.writes()).hasSize(1);
  }

  /** Somebody held it and was gone; another is being filled from, and a third is not ours. */
  @Test
  void onlySnapshotsThatNothingIsFilledFromAreLetGoWhenAllAreLookedThrough()
      throws InterruptedException {
    snapshot("used", ContentRules.SNAPSHOT_IN_USE);
    PartialObject orphan = snapshot("orphan", ContentRules.SNAPSHOT_IN_USE);
    snapshot("free", "other");
    start();
    restore("used");
    ready();
    Patience.until("it is written", () -> !server.writes().isEmpty());
    settle();
    assertThat(server.writes())
        .singleElement()
        .satisfies(write -> assertThat(write.key()).isEqualTo(orphan.key()));
    assertThat(cluster.get(DataSource.SNAPSHOT, orphan.key()).meta().finalizers()).isEmpty();
  }

  @Test
  void withoutPermissionToWriteSnapshotsNothingIsTriedAgain() throws InterruptedException {
    startWithSnapshots();
    restore("s");
    snapshot("s", ContentRules.SNAPSHOT_IN_USE);
    settle();
    server.onWrite(write -> new WriteResult.Rejected<>(403, "no"));
    copied();
    settle();
    assertThat(server.writes()).hasSize(1);
  }

  /** Its finalizer was seen, so none is put on it: it must not be taken off behind that look. */
  @Test
  void aSnapshotIsNotLetGoWhileSomebodyFindsItHeld() throws InterruptedException {
    startWithSnapshots();
    CloneSource source = new CloneSource(CloneSource.Type.SNAPSHOT, ObjectKey.of("ns", "s"));
    assertThat(gate.letsGo(source)).isTrue();
    gate.letGo(source);
    snapshot("s", ContentRules.SNAPSHOT_IN_USE);
    restore("s");
    settle();
    gate.letsGo(source); // as a second one would: nobody passes
    copied();
    Patience.until("all are taken", () -> controller.queueStats().getFirst().depth() == 0);
    assertThat(server.writes()).isEmpty();
    gate.letGo(source);
    Patience.until("it is written", () -> !server.writes().isEmpty());
  }

  /** A name that no object can have is never asked for. */
  @Test
  void anImpossibleNameHoldsNothing() throws InterruptedException {
    startWithSnapshots();
    restore("../x");
    Claim source = held("source");
    settle();
    assertThat(server.writes()).hasSize(1);
    assertThat(isThere(source)).isFalse();
  }

  private static final ObjectKey FOREIGN = ObjectKey.of("tenant", "copy");

  private void startAcrossNamespaces() throws InterruptedException {
    controller =
        new ControllerRuntime(
            controller(new Sources(Sources.DEFAULTS.sweepPeriod(), true)).spec(), time);
    start();
  }

  private final Informer<ReferenceGrant> grants = cluster.informers().of(ReferenceGrant.KIND);

  /** The API server has these grants and no others. */
  private void grants(ReferenceGrant... all) {
    server.onRead(asked ->
        asked.kind().equals(ReferenceGrant.KIND) ? new ReadResult.Found<>(List.of(all)) : null);
  }

  @Test
  void foreignClaim_withoutGrant_keepsNoSource() throws InterruptedException {
    grants();
    startAcrossNamespaces();
    copyOf(FOREIGN, "", "PersistentVolumeClaim", "ns", "source");
    Claim source = held("source");
    settle();
    assertThat(isThere(source)).isFalse();
  }

  /** The claim of the same namespace ends first; the foreign one never does. */
  @Test
  void foreignClaim_withoutGrant_keepsNoSourceAfterTheEndOfOwnCopies() throws InterruptedException {
    startAcrossNamespaces();
    copyOf(FOREIGN, "", "PersistentVolumeClaim", "ns", "source");
    copy();
    Claim source = held("source");
    settle();
    assertThat(isThere(source)).isTrue();
    copied();
    settle();
    assertThat(isThere(source)).isFalse();
  }

  @Test
  void foreignClaim_withGrant_keepsSourceUntilGrantIsWithdrawn() throws InterruptedException {
    ReferenceGrant grant =
        Builders.referenceGrant("ns", "g")
            .version(1)
            .from(List.of(new ReferenceGrant.From("", "PersistentVolumeClaim", "tenant")))
            .to(List.of(new ReferenceGrant.To("", "PersistentVolumeClaim", "source")))
            .build();
    grants(grant);
    grants.wrote(grant);
    startAcrossNamespaces();
    copyOf(FOREIGN, "", "PersistentVolumeClaim", "ns", "source");
    Claim source = held("source");
    settle();
    assertThat(isThere(source)).isTrue();
    grants();
    grants.deleted(grant.key(), grant.meta().uid());
    settle();
    assertThat(isThere(source)).isFalse();
  }

  /** The API server does not answer for the tenant's claims, or the tenant creates thousands. */
  @Test
  void foreignClaim_notReadYetAndWithoutGrant_keepsNoSource() throws InterruptedException {
    server.onRead(asked ->
        asked.kind().equals(ReferenceGrant.KIND)
            ? new ReadResult.Found<>(List.of())
            : asked.key().namespace().equals("tenant")
                ? new ReadResult.Failed<>("no answer")
                : null);
    startAcrossNamespaces();
    copyOf(FOREIGN, "", "PersistentVolumeClaim", "ns", "source");
    Claim source = held("source");
    Patience.until("the source is gone", () -> !isThere(source));
  }

  @Test
  void source_keptWhileGrantsAreNotAnswered() throws InterruptedException {
    server.onRead(asked ->
        asked.kind().equals(ReferenceGrant.KIND) ? new ReadResult.Failed<>("no answer") : null);
    startAcrossNamespaces();
    copyOf(FOREIGN, "", "PersistentVolumeClaim", "ns", "source");
    Claim source = held("source");
    Patience.until(
        "the API server is asked for grants",
        () -> server.requests().stream().anyMatch(r -> r.kind().equals(ReferenceGrant.KIND)));
    assertThat(isThere(source)).isTrue();
    grants();
    Patience.until("the source is gone", () -> !isThere(source));
  }
}
