package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.informer.Informer;
import dev.mooring.informer.Reflector;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Conditions for calls that delete snapshots and group snapshots. */
class SnapshotDeletionTest {
  private static final String DRIVER = "d";
  private static final ObjectKey SECRET = ObjectKey.of("vault", "keys");
  private static final ObjectKey CONTENT = ObjectKey.cluster("content");
  private static final ObjectKey GROUP = ObjectKey.cluster("group");
  private static final SnapshotContent.Ref GONE =
      new SnapshotContent.Ref(ObjectKey.of("ns", "gone"), Uid.of("gone"));

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();
  private final FakeDriver driver = new FakeDriver();
  private final List<String> deleted = new ArrayList<>();
  private final List<Reflector<?>> reflectors = new ArrayList<>();
  private final ClusterPorts ports = TestPorts.of(server, cluster, time);
  private final DeletionBreaker breaker = new DeletionBreaker(2, Duration.ofDays(1), time);
  private final Informer<SnapshotClass> classes = cluster.informers().of(Kind.SNAPSHOT_CLASS);
  private final Informer<SnapshotContent> contents = cluster.informers().of(Kind.SNAPSHOT_CONTENT);
  private final Informer<GroupSnapshotContent> groups =
      cluster.informers().of(Kind.GROUP_SNAPSHOT_CONTENT);
  private final DriverBridge bridge =
      new DriverBridge(
          new CsiBridge.Driver(DRIVER, driver, config(), DriverNames.OF_VOLUMES),
          GivenListWatch.empty(),
          cluster.informers(),
          ports,
          breaker);
  private final DriverSession session = bridge.session();
  private final StepwiseController steps =
      new StepwiseController(bridge.snapshotterSpecs().getFirst(), time);
  private final StepwiseController groupSteps =
      new StepwiseController(bridge.snapshotterSpecs().getLast(), time);

  private static CsiConfig config() {
    return CsiConfig.DEFAULTS.with(
        new CsiConfig.Snapshots(DriverNames.OF_SNAPSHOTS, Optional.of(DriverNames.OF_SNAPSHOTS)));
  }

  @BeforeEach
  void startDriver() throws InterruptedException {
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(DRIVER, "1", EnumSet.allOf(DriverCapability.class)));
    driver.deleteSnapshot = this::delete;
    driver.deleteGroupSnapshot = handles -> delete(handles.id());
    session.start();
    TestWait.until("the driver is known", () -> session.identity().isPresent());
    complete(classes);
    complete(contents);
    complete(groups);
    complete(cluster.informers().of(Kind.GROUP_SNAPSHOT_CLASS));
    cluster.create(Kind.SECRET, SECRET, Document.empty().set(Map.of(), "data"));
  }

  @AfterEach
  void stop() throws InterruptedException {
    session.stop();
    for (Reflector<?> reflector : reflectors) {
      reflector.stop();
    }
  }

  private <T extends Resource> void complete(Informer<T> informer) throws InterruptedException {
    Reflector<T> reflector = new Reflector<>(informer, GivenListWatch.empty(), time, () -> 0.5);
    reflectors.add(reflector);
    reflector.start();
    informer.awaitSynced();
  }

  private DriverReply<Done> delete(String handle) {
    deleted.add(handle);
    return new DriverReply.Ok<>(new Done());
  }

  private static SnapshotContent content(String name, ReclaimPolicy policy, boolean deletionDue) {
    return TestObjects.snapshotContent(name)
        .uid(name)
        .driver(DRIVER)
        .policy(policy)
        .snapshot(GONE)
        .source(new SnapshotContent.Source("", "snap-1"))
        .status(new SnapshotContent.Status("snap-1", 1, 1, true, Problem.NONE, ""))
        .annotation(SnapshotContent.SECRET_NAME, SECRET.name())
        .annotation(SnapshotContent.SECRET_NAMESPACE, SECRET.namespace())
        .annotation(deletionDue ? SnapshotContent.BEING_DELETED : "example.com/none", "yes")
        .finalizer(SnapshotContent.BOUND_PROTECTION)
        .deleted(deletionDue ? 2 : 0)
        .build();
  }

  private static GroupSnapshotContent group(String name, boolean deletionDue) {
    return TestObjects.groupSnapshotContent(name)
        .uid(name)
        .driver(DRIVER)
        .policy(ReclaimPolicy.DELETE)
        .group(GONE)
        .source(new GroupSnapshotContent.Source(List.of(), "group-1", List.of("snap-1")))
        .status(new GroupSnapshotContent.Status("group-1", 1, true, Problem.NONE, List.of()))
        .annotation(deletionDue ? GroupSnapshotContent.BEING_DELETED : "example.com/none", "yes")
        .finalizer(GroupSnapshotContent.BOUND_PROTECTION)
        .deleted(deletionDue ? 2 : 0)
        .build();
  }

  private void start() throws InterruptedException {
    steps.start();
    groupSteps.start();
    settle();
  }

  private void settle() throws InterruptedException {
    steps.settle();
    groupSteps.settle();
  }

  private void waitFor(Duration duration) throws InterruptedException {
    for (long i = 0; i < duration.toSeconds(); i++) {
      time.advance(Duration.ofSeconds(1));
      settle();
    }
  }

  private boolean exists(ObjectKey key) {
    return cluster.read(Kind.SNAPSHOT_CONTENT, key).toOptional().isPresent();
  }

  private List<String> notes() {
    return cluster.events().stream().map(event -> event.reason() + ": " + event.note()).toList();
  }

  @Test
  void delete_snapshotOfOneContent_callsDriverAndReleasesContent() throws InterruptedException {
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    start();
    assertThat(deleted).containsExactly("snap-1");
    assertThat(exists(CONTENT)).isFalse();
  }

  @Test
  void delete_anotherContentNamesSnapshot_waitsWithEvent() throws InterruptedException {
    cluster.put(Kind.SNAPSHOT_CONTENT, content("twin", ReclaimPolicy.RETAIN, false));
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    start();
    waitFor(Duration.ofMinutes(10));
    assertThat(deleted).isEmpty();
    assertThat(exists(CONTENT)).isTrue();
    assertThat(notes())
        .contains(
            "SnapshotDeleteError: VolumeSnapshotContent twin uses the same snapshot snap-1; it is"
                + " deleted when that object is deleted");
    cluster.remove(Kind.SNAPSHOT_CONTENT, ObjectKey.cluster("twin"));
    settle();
    assertThat(deleted).containsExactly("snap-1");
    assertThat(exists(CONTENT)).isFalse();
  }

  /** The record of the deletion is a write to another object than the twin, so it succeeds. */
  @Test
  void delete_twinCreatedDuringRecord_waitsForTheTwin() throws InterruptedException {
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    onRecord(
        () -> cluster.put(Kind.SNAPSHOT_CONTENT, content("twin", ReclaimPolicy.RETAIN, false)));
    start();
    waitFor(Duration.ofMinutes(1));
    assertThat(deleted).isEmpty();
    assertThat(exists(CONTENT)).isTrue();
    assertThat(notes()).anyMatch(note -> note.contains("VolumeSnapshotContent twin uses the same"));
    onRecord(() -> {});
    cluster.remove(Kind.SNAPSHOT_CONTENT, ObjectKey.cluster("twin"));
    settle();
    assertThat(deleted).containsExactly("snap-1");
  }

  @Test
  void delete_twinOfGroupCreatedDuringRecord_waitsForTheTwin() throws InterruptedException {
    cluster.put(Kind.GROUP_SNAPSHOT_CONTENT, group("group", true));
    onRecord(() -> cluster.put(Kind.GROUP_SNAPSHOT_CONTENT, group("twin", false)));
    start();
    waitFor(Duration.ofMinutes(1));
    assertThat(deleted).isEmpty();
  }

  private void onRecord(Runnable action) {
    server.onWrite(write -> {
      if (write.document().toString().contains("driver called at")) {
        action.run();
      }
      return null;
    });
  }

  /** The cache may show a deleted twin, or an old version of it. */
  @Test
  void delete_twinOnlyInCache_callsDriver() throws InterruptedException {
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    contents.applyOwnWrite(
        TestObjects.like(content("twin", ReclaimPolicy.RETAIN, false)).version(1000).build());
    start();
    assertThat(deleted).containsExactly("snap-1");
  }

  @Test
  void delete_bothContentsAreDeleted_neitherWaitsForTheOther() throws InterruptedException {
    cluster.put(Kind.SNAPSHOT_CONTENT, content("twin", ReclaimPolicy.DELETE, true));
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    start();
    waitFor(Duration.ofSeconds(5));
    assertThat(deleted).contains("snap-1");
    assertThat(exists(CONTENT)).isFalse();
    assertThat(exists(ObjectKey.cluster("twin"))).isFalse();
  }

  @Test
  void delete_groupAndTwinExists_waits() throws InterruptedException {
    cluster.put(Kind.GROUP_SNAPSHOT_CONTENT, group("twin", false));
    cluster.put(Kind.GROUP_SNAPSHOT_CONTENT, group("group", true));
    start();
    waitFor(Duration.ofMinutes(10));
    assertThat(deleted).isEmpty();
    cluster.remove(Kind.GROUP_SNAPSHOT_CONTENT, ObjectKey.cluster("twin"));
    settle();
    assertThat(deleted).containsExactly("group-1");
    assertThat(cluster.read(Kind.GROUP_SNAPSHOT_CONTENT, GROUP).toOptional()).isEmpty();
  }

  /** An administrator created a content for one snapshot of the group. */
  @Test
  void delete_groupAndContentNamesMember_waits() throws InterruptedException {
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.RETAIN, false));
    cluster.put(Kind.GROUP_SNAPSHOT_CONTENT, group("group", true));
    start();
    waitFor(Duration.ofMinutes(1));
    assertThat(deleted).isEmpty();
    cluster.remove(Kind.SNAPSHOT_CONTENT, CONTENT);
    waitFor(Duration.ofMinutes(6));
    assertThat(deleted).containsExactly("group-1");
  }

  @Test
  void delete_snapshotExists_keepsData() throws InterruptedException {
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    cluster.put(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot(GONE.key().namespace(), GONE.key().name())
            .uid(GONE.uid())
            .build());
    start();
    waitFor(Duration.ofMinutes(1));
    assertThat(deleted).isEmpty();
    assertThat(notes()).anyMatch(note -> note.contains("VolumeSnapshot ns/gone uses the same"));
  }

  private static boolean isSecret(Request request) {
    return request.kind().equals(Kind.SECRET);
  }

  private void retain(Kind<?> kind, ObjectKey key) {
    cluster.patch(kind, key, Document.empty().set("Retain", "spec", "deletionPolicy"));
  }

  @Test
  void delete_policyBecomesRetainDuringSecretRead_keepsData() throws InterruptedException {
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    server.onRead(request -> {
      if (isSecret(request)) {
        retain(Kind.SNAPSHOT_CONTENT, CONTENT);
      }
      return null;
    });
    start();
    waitFor(Duration.ofMinutes(1));
    assertThat(deleted).isEmpty();
    assertThat(exists(CONTENT)).as("the Retain policy releases the object").isFalse();
  }

  /** A conditional write lies between the last read and the call; it fails. */
  @Test
  void delete_policyBecomesRetainAfterVerdict_keepsData() throws InterruptedException {
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    onRecord(() -> retain(Kind.SNAPSHOT_CONTENT, CONTENT));
    start();
    waitFor(Duration.ofMinutes(1));
    assertThat(deleted).isEmpty();
    assertThat(exists(CONTENT)).isFalse();
  }

  @Test
  void delete_secretNameChangesDuringSecretRead_readsTheNewSecretFirst()
      throws InterruptedException {
    ObjectKey otherSecret = ObjectKey.of(SECRET.namespace(), "other");
    cluster.create(Kind.SECRET, otherSecret, Document.empty().set(Map.of(), "data"));
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    server.onRead(request -> {
      if (isSecret(request) && request.key().equals(SECRET)) {
        assertThat(deleted).isEmpty();
        cluster.patch(
            Kind.SNAPSHOT_CONTENT,
            CONTENT,
            Document.empty()
                .set(otherSecret.name(), "metadata", "annotations", SnapshotContent.SECRET_NAME));
      }
      return null;
    });
    start();
    waitFor(Duration.ofSeconds(5));
    assertThat(deleted).containsExactly("snap-1");
    assertThat(server.requests().stream().filter(SnapshotDeletionTest::isSecret))
        .extracting(Request::key)
        .containsExactly(SECRET, otherSecret);
  }

  /** No request lies between the conditional write and the call. */
  @Test
  void delete_confirmed_callsDriverDirectlyAfterConditionalWrite() throws InterruptedException {
    SnapshotContent content =
        cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    List<Request> requestsBefore = new ArrayList<>();
    driver.deleteSnapshot =
        handle -> {
          requestsBefore.addAll(server.requests());
          return delete(handle);
        };
    start();
    assertThat(requestsBefore.getLast().verb()).isEqualTo(Verb.PATCH);
    assertThat(requestsBefore.getLast().document().version())
        .isEqualTo(content.meta().resourceVersion());
    assertThat(requestsBefore.stream().filter(SnapshotDeletionTest::isSecret)).hasSize(1);
    assertThat(
            requestsBefore.indexOf(
                requestsBefore.stream()
                    .filter(SnapshotDeletionTest::isSecret)
                    .findFirst()
                    .orElseThrow()))
        .as("the Secret is read first")
        .isZero();
  }

  private void putDeletedContentWithoutSnapshot() {
    cluster.put(
        Kind.SNAPSHOT_CONTENT,
        TestObjects.like(content("content", ReclaimPolicy.DELETE, false))
            .snapshot(new SnapshotContent.Ref(GONE.key(), Uid.NONE))
            .deleting()
            .build());
  }

  /** A backup tool creates a content for its snapshot and deletes it, to delete the snapshot. */
  @Test
  void delete_contentWithoutSnapshot_callsDriver() throws InterruptedException {
    putDeletedContentWithoutSnapshot();
    start();
    assertThat(deleted).containsExactly("snap-1");
    assertThat(exists(CONTENT)).isFalse();
  }

  @Test
  void delete_contentWithoutSnapshotIsRefused_isRetried() throws InterruptedException {
    driver.deleteSnapshot =
        handle -> {
          deleted.add(handle);
          return deleted.size() < 3
              ? new DriverReply.Refused<>(StatusCode.INTERNAL, "no")
              : new DriverReply.Ok<>(new Done());
        };
    putDeletedContentWithoutSnapshot();
    start();
    waitFor(Duration.ofMinutes(1));
    assertThat(deleted).hasSize(3);
    assertThat(exists(CONTENT)).isFalse();
  }

  /** A driver may ignore the id in ListSnapshots, and answer with another snapshot. */
  @Test
  void delete_driverFoundOtherSnapshot_deletesSnapshotOfContent() throws InterruptedException {
    driver.getSnapshot =
        handle -> new DriverReply.Ok<>(Optional.of(new CsiSnapshot("snap-9", 1, 1, true)));
    cluster.put(
        Kind.SNAPSHOT_CONTENT,
        TestObjects.like(content("content", ReclaimPolicy.DELETE, false))
            .status(SnapshotContent.Status.NONE)
            .build());
    start();
    SnapshotContent found = cluster.get(Kind.SNAPSHOT_CONTENT, CONTENT);
    assertThat(found.status().ready()).isTrue();
    assertThat(found.status().handle()).isEqualTo("snap-1");
    cluster.patch(
        Kind.SNAPSHOT_CONTENT,
        CONTENT,
        Document.empty().set("yes", "metadata", "annotations", SnapshotContent.BEING_DELETED));
    cluster.delete(Kind.SNAPSHOT_CONTENT, CONTENT, found.meta().uid());
    settle();
    assertThat(deleted).containsExactly("snap-1");
  }

  @Test
  void delete_driverRefuses_eventNamesCause() throws InterruptedException {
    driver.deleteSnapshot =
        handle -> new DriverReply.Refused<>(StatusCode.FAILED_PRECONDITION, "it has clones");
    driver.deleteGroupSnapshot =
        handles -> new DriverReply.Refused<>(StatusCode.FAILED_PRECONDITION, "it has copies");
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    start();
    cluster.remove(Kind.SNAPSHOT_CONTENT, CONTENT);
    cluster.put(Kind.GROUP_SNAPSHOT_CONTENT, group("group", true));
    settle();
    assertThat(notes())
        .anySatisfy(note ->
            assertThat(note)
                .startsWith("SnapshotDeleteError: Failed to delete snapshot: ")
                .contains("it has clones"))
        .anySatisfy(note ->
            assertThat(note)
                .startsWith("GroupSnapshotDeleteError: Failed to delete group snapshot: ")
                .contains("it has copies"));
  }

  @Test
  void delete_secretIsMissing_eventNamesSecret() throws InterruptedException {
    cluster.remove(Kind.SECRET, SECRET);
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    start();
    assertThat(deleted).isEmpty();
    assertThat(notes())
        .containsExactly(
            "SnapshotDeleteError: Failed to get snapshot credentials: failed to load secret"
                + " \"vault/keys\": it does not exist");
  }

  /** The record of an attempt must not end the back-off that the attempt starts. */
  @Test
  void delete_driverRefuses_backsOff() throws InterruptedException {
    driver.deleteSnapshot =
        handle -> {
          deleted.add(handle);
          return new DriverReply.Refused<>(StatusCode.INTERNAL, "no");
        };
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    start();
    waitFor(Duration.ofMinutes(5));
    assertThat(deleted).hasSizeBetween(5, 12);
  }

  @Test
  void delete_limitReached_holdsSnapshotsAndGroupsUntilResumed() throws InterruptedException {
    breaker.admit(Uid.of("volume"));
    breaker.recordDestroyed(Uid.of("volume"));
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    start();
    assertThat(deleted).as("the volume and the snapshot reach the limit").hasSize(1);
    cluster.put(Kind.GROUP_SNAPSHOT_CONTENT, group("group", true));
    waitFor(Duration.ofMinutes(5));
    assertThat(deleted).hasSize(1);
    assertThat(notes())
        .filteredOn(note -> note.contains("mooring resume-deletions"))
        .as("one event, however often the group is processed")
        .hasSize(1)
        .first()
        .asString()
        .contains("GroupSnapshotDeleteError", "2 volumes or snapshots have been destroyed");
    breaker.resume();
    waitFor(Duration.ofSeconds(20));
    assertThat(deleted).containsExactly("snap-1", "group-1");
  }

  @Test
  void delete_driverRefuses_doesNotCount() throws InterruptedException {
    driver.deleteSnapshot = handle -> new DriverReply.Refused<>(StatusCode.INTERNAL, "not today");
    cluster.put(Kind.SNAPSHOT_CONTENT, content("content", ReclaimPolicy.DELETE, true));
    start();
    waitFor(Duration.ofMinutes(1));
    assertThat(breaker.isHolding()).isFalse();
    driver.deleteSnapshot = this::delete;
    waitFor(Duration.ofMinutes(10));
    assertThat(deleted).containsExactly("snap-1");
  }
}
