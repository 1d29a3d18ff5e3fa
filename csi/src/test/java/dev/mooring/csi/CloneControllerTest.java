package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.CsiConfig.Sources;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.ContentRules;
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
import dev.mooring.model.Resource;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.testkit.Builders;
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
      return 1;
    }

    @Override
    public Page head(int most, Consumer<T> each) {
      return new Page(1, true);
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
  private final FakeServer server = new FakeServer();
  private final SystemTime time = new SystemTime();
  private final Informer<Claim> claims = new Informer<>(Kind.CLAIM, List.of());
  private final Reflector<Claim> reflector =
      new Reflector<>(claims, new Empty<>(List.of()), time, () -> 0.5);
  private final List<PartialObject> snapshots = new CopyOnWriteArrayList<>();
  private final Empty<PartialObject> allSnapshots = new Empty<>(snapshots);
  private final FakeDriver driver = new FakeDriver();
  private final DriverSession session = new DriverSession("d", driver, time, new OperationStats());
  private final SourceGate gate = new SourceGate();
  private final ControllerRuntime controller =
      new ControllerRuntime(controller(Sources.DEFAULTS).spec(), time);
  private long version = 1;

  private CloneController controller(Sources config) {
    DriverFinalizers finalizers = new DriverFinalizers(server);
    return new CloneController(
        session,
        config,
        claims,
        new CloneController.Parts(
            new DataSources(server),
            finalizers,
            new SnapshotHolds(
                server, finalizers, allSnapshots, new DriverReporter(event -> {}, "d")),
            gate),
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

  private Claim claim(
      String name, long deleted, List<String> finalizers, boolean filled, ClaimPhase phase) {
    Claim claim =
        Builders.claim("ns", name)
            .uid(name)
            .version(++version)
            .deleted(deleted)
            .storageClass("")
            .hasDataSource(filled)
            .phase(phase)
            .build();
    return claim.with(claim.meta().withFinalizers(finalizers)); // which count: none may copy them
  }

  private Claim held(String name) {
    return claim(name, 1, new Counted(), false, ClaimPhase.BOUND);
  }

  private Claim copy(ClaimPhase phase) {
    return copyOf("", "PersistentVolumeClaim", "", "source", phase);
  }

  private Claim copyOf(String group, String kind, String namespace, String name, ClaimPhase phase) {
    server.wholes.put(
        ObjectKey.of("ns", "copy"),
        Map.of(
            "spec",
            Map.of(
                "dataSource",
                Map.of("apiGroup", group, "kind", kind, "namespace", namespace, "name", name))));
    return claim("copy", 0, List.of(), true, phase);
  }

  private PartialObject snapshot(String name, String... finalizers) {
    PartialObject snapshot =
        Builders.partialObject("ns", name)
            .uid(name)
            .version(++version)
            .finalizers(List.of(finalizers))
            .build();
    server.objects.put(snapshot.key(), snapshot);
    snapshots.add(snapshot);
    return snapshot;
  }

  private Claim restored(String from, ClaimPhase phase) {
    return copyOf("snapshot.storage.k8s.io", "VolumeSnapshot", "", from, phase);
  }

  private void settle() {
    Patience.until("it comes to rest", controller::isIdle);
  }

  @Test
  void aChangeOfACopyCostsTheSameHoweverManyClaimsAreHeld() throws InterruptedException {
    start();
    claims.wrote(copy(ClaimPhase.PENDING));
    for (int i = 0; i < HELD; i++) {
      server.answers.add(new WriteResult.Gone<>());
      claims.wrote(held("held" + i));
    }
    settle();
    server.written.clear();
    looks.reset();
    for (int i = 0; i < 100; i++) {
      claims.wrote(copy(ClaimPhase.PENDING));
    }
    settle();
    assertThat(looks.sum()).isLessThan(HELD);
    assertThat(server.written).isEmpty();
  }

  @Test
  void theEndOfTheLastCopyLetsItsSourceGo() throws InterruptedException {
    start();
    claims.wrote(copy(ClaimPhase.PENDING));
    Claim source = held("source");
    claims.wrote(source);
    settle();
    assertThat(server.written).isEmpty();
    server.answers.add(new WriteResult.Written<>(source));
    claims.wrote(copy(ClaimPhase.BOUND));
    settle();
    assertThat(server.written).hasSize(1);
  }

  @Test
  void aCopyThatIsGoneHoldsNobody() throws InterruptedException {
    start();
    Claim copy = copy(ClaimPhase.PENDING);
    claims.wrote(copy);
    Claim source = held("source");
    claims.wrote(source);
    settle();
    server.answers.add(new WriteResult.Written<>(source));
    claims.deleted(copy.key(), copy.meta().uid());
    settle();
    assertThat(server.written).hasSize(1);
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
    claims.wrote(copyOf(group, kind, namespace, name, ClaimPhase.PENDING));
    Claim source = held("source");
    server.answers.add(new WriteResult.Written<>(source));
    claims.wrote(source);
    settle();
    assertThat(server.written).hasSize(1);
  }

  @Test
  void theEndOfTheLastRestoreLetsASnapshotGo() throws InterruptedException {
    startWithSnapshots();
    claims.wrote(restored("s", ClaimPhase.PENDING));
    PartialObject held = snapshot("s", "other", ContentRules.SNAPSHOT_IN_USE);
    settle();
    assertThat(server.written).isEmpty();
    server.answers.add(new WriteResult.Written<>(held));
    claims.wrote(restored("s", ClaimPhase.BOUND));
    settle();
    assertThat(server.written)
        .singleElement()
        .asString()
        .contains("other")
        .doesNotContain("as-source");
  }

  /** Else nobody would look for minutes. */
  @Test
  void snapshotsAreLookedThroughAgainSoonWhereTheServerDidNotAnswer() throws InterruptedException {
    PartialObject orphan = snapshot("orphan", ContentRules.SNAPSHOT_IN_USE);
    server.answers.add(new WriteResult.Written<>(orphan));
    allSnapshots.silent.set(2);
    startWithSnapshots();
    settle();
    assertThat(server.written).hasSize(1);
  }

  /** Somebody held it and was gone; another is being filled from, and a third is not ours. */
  @Test
  void onlySnapshotsThatNothingIsFilledFromAreLetGoWhenAllAreLookedThrough()
      throws InterruptedException {
    snapshot("used", ContentRules.SNAPSHOT_IN_USE);
    PartialObject orphan = snapshot("orphan", ContentRules.SNAPSHOT_IN_USE);
    snapshot("free", "other");
    server.answers.add(new WriteResult.Written<>(orphan));
    start();
    claims.wrote(restored("used", ClaimPhase.PENDING));
    ready();
    Patience.until("it is written", () -> !server.written.isEmpty());
    settle();
    assertThat(server.written).singleElement().asString().contains("orphan");
  }

  @Test
  void withoutPermissionToWriteSnapshotsNothingIsTriedAgain() throws InterruptedException {
    startWithSnapshots();
    claims.wrote(restored("s", ClaimPhase.PENDING));
    snapshot("s", ContentRules.SNAPSHOT_IN_USE);
    settle();
    server.answers.add(new WriteResult.Rejected<>(403, "no"));
    claims.wrote(restored("s", ClaimPhase.BOUND));
    settle();
    assertThat(server.written).hasSize(1);
  }

  /** Its finalizer was seen, so none is put on it: it must not be taken off behind that look. */
  @Test
  void aSnapshotIsNotLetGoWhileSomebodyFindsItHeld() throws InterruptedException {
    startWithSnapshots();
    CloneSource source = new CloneSource(CloneSource.Type.SNAPSHOT, ObjectKey.of("ns", "s"));
    assertThat(gate.letsGo(source)).isTrue();
    gate.letGo(source);
    snapshot("s", ContentRules.SNAPSHOT_IN_USE);
    claims.wrote(restored("s", ClaimPhase.PENDING));
    settle();
    server.answers.add(new WriteResult.Gone<>());
    gate.letsGo(source); // as a second one would: nobody passes
    claims.wrote(restored("s", ClaimPhase.BOUND));
    Patience.until("all are taken", () -> controller.queueStats().getFirst().depth() == 0);
    assertThat(server.written).isEmpty();
    gate.letGo(source);
    Patience.until("it is written", () -> !server.written.isEmpty());
  }

  /** A name that no object can have is never asked for. */
  @Test
  void anImpossibleNameHoldsNothing() throws InterruptedException {
    startWithSnapshots();
    claims.wrote(restored("../x", ClaimPhase.PENDING));
    Claim source = held("source");
    server.answers.add(new WriteResult.Written<>(source));
    claims.wrote(source);
    settle();
    assertThat(server.written).hasSize(1);
  }
}
