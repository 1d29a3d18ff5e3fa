package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.DriverClaims;
import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.state.AttachmentMemory;
import dev.mooring.csi.state.ContentMemory;
import dev.mooring.csi.state.ContentTwins;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.csi.state.ModifyMemory;
import dev.mooring.csi.state.ResizeMemory;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An unanswered API read before a driver call must not count as a driver error. */
class UnansweredTest {
  private static final String DRIVER = "d";
  private static final ObjectKey SECRET = ObjectKey.of("vault", "keys");
  private static final ObjectKey V = ObjectKey.cluster("v");
  private static final ObjectKey INLINE = ObjectKey.cluster("inline");
  private static final ObjectKey GOLD = ObjectKey.cluster("gold");
  private static final ObjectKey CONTENT = ObjectKey.cluster("content");
  private static final Map<String, Object> SECRET_REF =
      Map.of("namespace", SECRET.namespace(), "name", SECRET.name());

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final FakeDriver driver = new FakeDriver();
  private final DriverSession session =
      new DriverSession(DRIVER, driver, time, new OperationStats());
  private final List<ClusterEvent> events = new ArrayList<>();
  private final ClusterPorts ports = TestPorts.of(server, events::add, time);
  private final DriverReporter reporter = new DriverReporter(events::add, DRIVER);
  private final VolumePublisher publisher =
      new VolumePublisher(
          session,
          DriverOptions.DEFAULTS,
          ports,
          new DriverNodes(DRIVER, new SharedInformers(), Optional.empty()),
          new AttachmentMemory(new SharedInformers()));
  private final VolumeResizer resizer =
      new VolumeResizer(
          session,
          DriverOptions.DEFAULTS,
          ports,
          reporter,
          new ResizeMemory(time, Duration.ofMinutes(5), true));
  private final VolumeModifier modifier =
      new VolumeModifier(
          session,
          DriverOptions.DEFAULTS,
          ports,
          reporter,
          new ModifyMemory(time, Duration.ofMinutes(5)));
  private final Informer<SnapshotClass> snapshotClasses =
      new Informer<>(Kind.SNAPSHOT_CLASS, List.of());
  private final ContentRequests requests =
      new ContentRequests(
          new SingleSnapshots(session, snapshotClasses, false),
          DriverNames.OF_SNAPSHOTS,
          false,
          server);
  private final SnapshotReconciler snapshots =
      new SnapshotReconciler(
          requests,
          new ContentDeletion(
              new ContentTwins(server.cluster().informers(), false),
              requests,
              new DeletionAdmission(
                  new DeletionBreaker(0, Duration.ofMinutes(10), time),
                  Duration.ofSeconds(1),
                  new ContentStatusWriter(ports, DRIVER, new ContentMemory()))),
          new RetryPolicy(time, Duration.ofSeconds(1), Duration.ofMinutes(5)));
  private final Volume volume = volume(publisher.scope().finalizer());

  private static Meta meta(ObjectKey key, List<String> finalizers) {
    return TestObjects.metaOf(key).uid(key.name()).finalizers(finalizers).meta();
  }

  private void create(Kind<?> kind, ObjectKey key, Document object) {
    assertThat(server.cluster().create(kind, key, object).toOptional()).isPresent();
  }

  /** Creates the volume, whose driver needs a Secret. */
  private Volume volume(String... finalizers) {
    Volume plain = DriverClaims.volume(meta(V, List.of(finalizers)), VolumeSource.csi(DRIVER, "h"));
    return patched(
        Kind.VOLUME,
        server.cluster().put(Kind.VOLUME, plain),
        Document.empty()
            .set(SECRET_REF, "spec", "csi", "controllerPublishSecretRef")
            .set(SECRET_REF, "spec", "csi", "controllerExpandSecretRef"));
  }

  /** Adds fields that the model record does not contain. */
  private <T extends Resource> T patched(Kind<T> kind, T object, Document changes) {
    return server.cluster().patch(kind, object.key(), changes).toOptional().orElseThrow();
  }

  @BeforeEach
  void createObjects() {
    create(Kind.SECRET, SECRET, Document.empty().set(Map.of(), "data"));
    server
        .cluster()
        .put(
            Kind.ATTRIBUTES_CLASS,
            new AttributesClass(meta(GOLD, List.of()), DRIVER, Map.of("iops", "9")));
    snapshotClasses.applyOwnWrite(
        new SnapshotClass(
            meta(ObjectKey.cluster("fast"), List.of()),
            DRIVER,
            Map.of(
                "csi.storage.k8s.io/snapshotter-list-secret-name", SECRET.name(),
                "csi.storage.k8s.io/snapshotter-list-secret-namespace", SECRET.namespace()),
            ReclaimPolicy.DELETE,
            List.of()));
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(DRIVER, "1", EnumSet.allOf(DriverCapability.class)));
    session.start();
    TestWait.until("the driver is known", () -> session.identity().isPresent());
  }

  @AfterEach
  void stop() throws InterruptedException {
    session.stop();
  }

  private Attachment attachment(String volume, boolean deleted, String error) {
    Attachment attachment = attachmentOf(volume, deleted, error);
    return server.cluster().put(Kind.ATTACHMENT, attachment);
  }

  /** Creates an attachment that contains its volume. */
  private Attachment inline() {
    Map<String, Object> source =
        Map.of("driver", DRIVER, "volumeHandle", "h", "controllerPublishSecretRef", SECRET_REF);
    return patched(
        Kind.ATTACHMENT,
        attachment("", false, ""),
        Document.empty()
            .set(
                Map.of("accessModes", List.of("ReadWriteOnce"), "csi", source),
                "spec",
                "source",
                "inlineVolumeSpec"));
  }

  private static Attachment attachmentOf(String volume, boolean deleted, String error) {
    return TestObjects.attachment(deleted ? V : INLINE)
        .deleted(deleted ? 2 : 0)
        .finalizer("external-attacher/d")
        .attacher(DRIVER)
        .volumeName(volume)
        .nodeName("n1")
        .attached(deleted)
        .attachError(deleted ? "" : error)
        .detachError(deleted ? error : "")
        .build();
  }

  private SnapshotContent content(String handle, String existingHandle, boolean deleted) {
    return server.cluster().put(Kind.SNAPSHOT_CONTENT, contentOf(handle, existingHandle, deleted));
  }

  private static SnapshotContent contentOf(String handle, String existingHandle, boolean deleted) {
    Map<String, String> annotations =
        new HashMap<>(
            Map.of(
                SnapshotContent.SECRET_NAME, SECRET.name(),
                SnapshotContent.SECRET_NAMESPACE, SECRET.namespace()));
    if (deleted) {
      annotations.put(SnapshotContent.BEING_DELETED, "yes");
    }
    return TestObjects.snapshotContent(CONTENT.name())
        .uid("c")
        .deleted(deleted ? 2 : 0)
        .annotations(annotations)
        .finalizer(SnapshotContent.BOUND_PROTECTION)
        .snapshot(
            new SnapshotContent.Ref(
                ObjectKey.of("ns", "s"), Uid.of("12345678-1234-1234-1234-123456789abc")))
        .policy(ReclaimPolicy.DELETE)
        .driver(DRIVER)
        .className("fast")
        .source(new SnapshotContent.Source(existingHandle.isEmpty() ? "h" : "", existingHandle))
        .mode(Optional.empty())
        .status(new SnapshotContent.Status(handle, 0, 0, false, Problem.NONE, ""))
        .build();
  }

  private Claim growing() {
    return server
        .cluster()
        .put(Kind.CLAIM, DriverClaims.growing("2Gi", "1Gi", null, ResizeState.NONE));
  }

  private Claim changing() {
    return server.cluster().put(Kind.CLAIM, DriverClaims.claim().attributesClass("gold").build());
  }

  private Outcome sync(String work) throws InterruptedException {
    return switch (work) {
      case "attach" -> publisher.sync(attachment("v", false, ""), false);
      case "attach inline" -> publisher.sync(inline(), false);
      case "detach" -> publisher.sync(attachment("v", true, ""), false);
      case "grow" -> resizer.sync(growing(), volume, false);
      case "change" -> modifier.sync(changing(), volume);
      case "snapshot" -> snapshots.sync(ContentView.of(content("", "", false)));
      case "find snapshot" -> snapshots.sync(ContentView.of(content("", "snap-1", false)));
      case "destroy snapshot" -> snapshots.sync(ContentView.of(content("snap-1", "", true)));
      default -> throw new AssertionError(work);
    };
  }

  /** An API server without an answer must not start the back-off of driver errors. */
  @ParameterizedTest(name = "{0}, no answer for {1}")
  @CsvSource({
    "attach, persistentvolumes",
    "attach, secrets",
    "attach inline, volumeattachments",
    "attach inline, secrets",
    "detach, persistentvolumes",
    "detach, secrets",
    "grow, persistentvolumes",
    "grow, secrets",
    "change, volumeattributesclasses",
    "change, persistentvolumes",
    "change, secrets",
    "snapshot, secrets",
    "find snapshot, secrets",
    "destroy snapshot, volumesnapshotcontents",
    "destroy snapshot, secrets",
  })
  void sync_unansweredRead_isUnanswered(String work, String unanswered)
      throws InterruptedException {
    unanswered(unanswered);
    assertThat(sync(work))
        .isInstanceOfSatisfying(
            Outcome.Unanswered.class, it -> assertThat(it.message()).contains("no answer"));
    assertOnlyErrorWritten();
  }

  /** From now on the API server does not answer for the kind. */
  private void unanswered(String plural) {
    server.onRead(request ->
        request.kind().plural().equals(plural) ? new ReadResult.Failed<>("no answer") : null);
  }

  /** Only the error may be written. */
  private void assertOnlyErrorWritten() {
    assertThat(server.writes())
        .hasSizeLessThanOrEqualTo(1)
        .allMatch(write -> write.verb() == Verb.PATCH_STATUS);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"attach", "detach", "snapshot", "find snapshot", "destroy snapshot"})
  void sync_missingSecret_isRetried(String work) throws InterruptedException {
    server.cluster().remove(Kind.SECRET, SECRET);
    assertThat(sync(work))
        .isInstanceOfSatisfying(
            Outcome.Retry.class,
            it -> assertThat(it.failure().message()).contains("it does not exist"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"attach", "detach", "snapshot", "find snapshot", "destroy snapshot"})
  void sync_forbiddenSecret_isRetried(String work) throws InterruptedException {
    server.forbid(Kind.SECRET);
    assertThat(sync(work)).isInstanceOf(Outcome.Retry.class);
  }

  /** Without a call no state may say that the driver is changing the volume. */
  @Test
  void change_missingSecret_emitsItsNameAndWritesNothing() throws InterruptedException {
    server.cluster().remove(Kind.SECRET, SECRET);
    assertThat(sync("change")).isInstanceOf(Outcome.Retry.class);
    assertThat(events)
        .extracting(ClusterEvent::reason, ClusterEvent::note)
        .containsExactly(
            tuple("VolumeModifyFailed", "failed to load secret \"vault/keys\": it does not exist"));
    assertThat(server.writes()).isEmpty();
  }

  /** The status must not announce a growth that did not start. */
  @Test
  void grow_missingSecretRepeatedly_emitsOneEventAndWritesNothing() throws InterruptedException {
    server.cluster().remove(Kind.SECRET, SECRET);
    for (int i = 0; i < 3; i++) {
      assertThat(sync("grow")).isInstanceOf(Outcome.Retry.class);
    }
    assertThat(server.writes()).isEmpty();
    assertThat(events).extracting(ClusterEvent::reason).containsExactly("VolumeResizeFailed");
  }

  /** The status must not announce a growth or change long before the driver is called. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "grow, VolumeResizeFailed",
    "change, ''",
    "destroy snapshot, SnapshotDeleteError",
  })
  void sync_unansweredRepeatedly_emitsOneEvent(String work, String reason)
      throws InterruptedException {
    unanswered("secrets");
    for (int i = 0; i < 3; i++) {
      assertThat(sync(work)).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(server.writes()).isEmpty();
    assertThat(events)
        .extracting(ClusterEvent::reason)
        .isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
  }

  @Test
  void attach_unansweredRepeatedly_writesErrorOnce() throws InterruptedException {
    unanswered("secrets");
    sync("attach");
    String error = "failed to load secret \"vault/keys\": no answer";
    assertThat(server.cluster().get(Kind.ATTACHMENT, INLINE).attachError()).isEqualTo(error);
    assertThat(publisher.sync(attachment("v", false, error), false))
        .isInstanceOf(Outcome.Unanswered.class);
    assertThat(publisher.sync(attachment("v", true, error), false))
        .isInstanceOf(Outcome.Unanswered.class);
    assertThat(server.writes()).hasSize(1);
  }

  /** The pause after an infeasible size starts with a driver's answer. */
  @Test
  void grow_infeasibleAndUnanswered_startsNoPause() throws InterruptedException {
    unanswered("secrets");
    Claim infeasible = DriverClaims.growing("2Gi", "1Gi", "2Gi", ResizeState.CONTROLLER_INFEASIBLE);
    for (int i = 0; i < 2; i++) {
      assertThat(resizer.sync(infeasible, volume, false)).isInstanceOf(Outcome.Unanswered.class);
    }
  }

  @Test
  void attach_finalizerUnwritten_isRetriedSoon() throws InterruptedException {
    volume();
    server.nextWrites(new WriteResult.Unreachable<>("away"));
    assertThat(sync("attach")).isInstanceOf(Outcome.Unanswered.class);
    server.nextWrites(new WriteResult.Rejected<>(403, "no"));
    assertThat(sync("attach")).isInstanceOf(Outcome.Retry.class);
  }

  @Test
  void destroySnapshot_unknownGroups_isUnanswered() throws InterruptedException {
    SnapshotReconciler withGroups =
        new SnapshotReconciler(
            requests,
            new ContentDeletion(
                new ContentTwins(new SharedInformers(), true),
                requests,
                snapshots.deletion().admission()),
            snapshots.retryPolicy());
    assertThat(withGroups.sync(ContentView.of(content("snap-1", "", true))))
        .isInstanceOfSatisfying(
            Outcome.Unanswered.class,
            it -> assertThat(it.toString()).contains("a group may need its data"));
    assertThat(server.writes()).isEmpty();
  }

  @Test
  void change_kindNotServed_isUnanswered() throws InterruptedException {
    server.cluster().remove(Kind.ATTRIBUTES_CLASS, GOLD);
    server.onRead(request ->
        request.verb() == Verb.LIST && request.kind().equals(Kind.ATTRIBUTES_CLASS)
            ? new ReadResult.Failed<>("the server does not have them")
            : null);
    assertThat(sync("change")).isInstanceOf(Outcome.Unanswered.class);
    assertThat(events).isEmpty();
    assertThat(server.writes()).isEmpty();
    server.onRead(request -> null);
    assertThat(sync("change")).isEqualTo(new Outcome.CheckAgain(Duration.ofSeconds(30)));
    assertThat(events).singleElement().asString().contains("VAC \"gold\" does not exist.");
  }

  /** The API server may have removed the mark: it is written again before the driver is called. */
  @Test
  void snapshot_markRemovalUnanswered_writesMarkAgain() throws InterruptedException {
    server.onWrite(write ->
        write.document().toString().contains(SnapshotContent.BEING_CREATED + "=null")
            ? new WriteResult.Unreachable<>("no answer")
            : null);
    assertThat(snapshots.sync(ContentView.of(content("", "", false))))
        .isInstanceOf(Outcome.Unanswered.class);
    SnapshotContent recordedContent = server.cluster().get(Kind.SNAPSHOT_CONTENT, CONTENT);
    assertThat(recordedContent.meta().annotation(SnapshotContent.BEING_CREATED)).isEqualTo("yes");
    server.clearRequests();
    server.nextWrites(new WriteResult.Conflict<>("the mark was removed"));
    assertThat(snapshots.sync(ContentView.of(recordedContent)))
        .isInstanceOf(Outcome.Conflicted.class);
    assertThat(server.writes())
        .singleElement()
        .satisfies(write -> assertThat(write.document().toString()).contains("being-created=yes"));
  }
}
