package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.DriverClaims;
import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.informer.Informer;
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
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server did not say before a driver is asked is no answer of the driver's. */
@Timeout(300)
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
  private final ClusterPorts ports =
      new ClusterPorts(
          server, server, events::add, (pod, uid) -> new ReadResult.Found<>(List.of()), time);
  private final DriverReporter reporter = new DriverReporter(events::add, DRIVER);
  private final Publishing publishing =
      new Publishing(
          session,
          DriverOptions.DEFAULTS,
          ports,
          new DriverNodes(
              new Informer<>(Kind.CSI_NODE, List.of()),
              new Informer<>(Kind.NODE, List.of()),
              Optional.empty()),
          new Informer<>(Kind.ATTACHMENT, List.of(PublicationIndex.BY_RECORD)));
  private final Resizing resizing =
      new Resizing(session, DriverOptions.DEFAULTS, ports, reporter, Duration.ofMinutes(5));
  private final Modifying modifying =
      new Modifying(session, DriverOptions.DEFAULTS, ports, reporter, Duration.ofMinutes(5));
  private final Informer<SnapshotClass> snapshotClasses =
      new Informer<>(Kind.SNAPSHOT_CLASS, List.of());
  private final Snapshotting<SnapshotContent, ?, ?> snapshotting =
      Snapshotting.ofSnapshots(
          session,
          new Snapshotting.Settings(
              DriverNames.OF_SNAPSHOTS,
              false,
              Duration.ofSeconds(1),
              Duration.ofMinutes(5),
              new DeletionBreaker(0, Duration.ofMinutes(10), time)),
          snapshotClasses,
          new ContentTwins(server.cluster().informers(), false),
          ports);
  private final Volume volume = volume(publishing.finalizer());

  private static Meta meta(ObjectKey key, List<String> finalizers) {
    return Builders.metaOf(key).uid(key.name()).finalizers(finalizers).meta();
  }

  /** Somebody makes it. */
  private void create(Kind<?> kind, ObjectKey key, Document object) {
    assertThat(server.cluster().create(kind, key, object).written()).isPresent();
  }

  /** The volume, whose driver needs credentials. */
  private Volume volume(String... finalizers) {
    Volume plain = DriverClaims.volume(meta(V, List.of(finalizers)), VolumeSource.csi(DRIVER, "h"));
    return with(
        Kind.VOLUME,
        server.cluster().put(Kind.VOLUME, plain),
        Document.empty()
            .set(SECRET_REF, "spec", "csi", "controllerPublishSecretRef")
            .set(SECRET_REF, "spec", "csi", "controllerExpandSecretRef"));
  }

  /** The object as it is with that, of which its record does not tell. */
  private <T extends Resource> T with(Kind<T> kind, T object, Document more) {
    return server.cluster().patch(kind, object.key(), more).written().orElseThrow();
  }

  @BeforeEach
  void everythingIsThere() {
    create(Kind.SECRET, SECRET, Document.empty().set(Map.of(), "data"));
    server
        .cluster()
        .put(
            Kind.ATTRIBUTES_CLASS,
            new AttributesClass(meta(GOLD, List.of()), DRIVER, Map.of("iops", "9")));
    snapshotClasses.wrote(
        new SnapshotClass(
            meta(ObjectKey.cluster("fast"), List.of()),
            DRIVER,
            Map.of(
                "csi.storage.k8s.io/snapshotter-list-secret-name", SECRET.name(),
                "csi.storage.k8s.io/snapshotter-list-secret-namespace", SECRET.namespace()),
            ReclaimPolicy.DELETE));
    driver.identity = new Reply.Ok<>(new Identity(DRIVER, "1", EnumSet.allOf(Ability.class)));
    session.start();
    Patience.until("the driver is known", () -> session.identity().isPresent());
  }

  @AfterEach
  void stop() throws InterruptedException {
    session.stop();
  }

  private Attachment attachment(String volume, boolean leaving, String error) {
    Attachment attachment = attachmentOf(volume, leaving, error);
    return server.cluster().put(Kind.ATTACHMENT, attachment);
  }

  /** One whose volume is a part of it. */
  private Attachment inline() {
    Map<String, Object> source =
        Map.of("driver", DRIVER, "volumeHandle", "h", "controllerPublishSecretRef", SECRET_REF);
    return with(
        Kind.ATTACHMENT,
        attachment("", false, ""),
        Document.empty()
            .set(
                Map.of("accessModes", List.of("ReadWriteOnce"), "csi", source),
                "spec",
                "source",
                "inlineVolumeSpec"));
  }

  private static Attachment attachmentOf(String volume, boolean leaving, String error) {
    return Builders.attachment(leaving ? V : INLINE)
        .deleted(leaving ? 2 : 0)
        .finalizer("external-attacher/d")
        .attacher(DRIVER)
        .volumeName(volume)
        .nodeName("n1")
        .attached(leaving)
        .attachError(leaving ? "" : error)
        .detachError(leaving ? error : "")
        .build();
  }

  private SnapshotContent content(String handle, String before, boolean leaving) {
    return server.cluster().put(Kind.SNAPSHOT_CONTENT, contentOf(handle, before, leaving));
  }

  private static SnapshotContent contentOf(String handle, String before, boolean leaving) {
    Map<String, String> annotations =
        new HashMap<>(
            Map.of(
                SnapshotContent.SECRET_NAME, SECRET.name(),
                SnapshotContent.SECRET_NAMESPACE, SECRET.namespace()));
    if (leaving) {
      annotations.put(SnapshotContent.BEING_DELETED, "yes");
    }
    return Builders.snapshotContent(CONTENT.name())
        .uid("c")
        .deleted(leaving ? 2 : 0)
        .annotations(annotations)
        .finalizer(SnapshotContent.BOUND_PROTECTION)
        .snapshot(
            new SnapshotContent.Ref(
                ObjectKey.of("ns", "s"), Uid.of("12345678-1234-1234-1234-123456789abc")))
        .policy(ReclaimPolicy.DELETE)
        .driver(DRIVER)
        .className("fast")
        .source(new SnapshotContent.Source(before.isEmpty() ? "h" : "", before))
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

  private Outcome done(String work) throws InterruptedException {
    return switch (work) {
      case "attach" -> publishing.sync(attachment("v", false, ""), false);
      case "attach inline" -> publishing.sync(inline(), false);
      case "detach" -> publishing.sync(attachment("v", true, ""), false);
      case "grow" -> resizing.sync(growing(), volume, false);
      case "change" -> modifying.sync(changing(), volume);
      case "snapshot" -> snapshotting.sync(content("", "", false));
      case "find snapshot" -> snapshotting.sync(content("", "snap-1", false));
      case "destroy snapshot" -> snapshotting.sync(content("snap-1", "", true));
      default -> throw new AssertionError(work);
    };
  }

  /** What the driver's own answer would back off for is not what was not said. */
  @ParameterizedTest(name = "{0}, nothing said of {1}")
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
  void whatIsNotSaidIsAskedAgainSoon(String work, String silent) throws InterruptedException {
    silent(silent);
    assertThat(done(work))
        .isInstanceOfSatisfying(
            Outcome.Unanswered.class, it -> assertThat(it.what()).contains("no answer"));
    assertSaidAtMost();
  }

  /** From now on nothing is said of that kind. */
  private void silent(String plural) {
    server.onRead(asked ->
        asked.kind().plural().equals(plural) ? new ReadResult.Failed<>("no answer") : null);
  }

  /** Nothing is written but what went wrong. */
  private void assertSaidAtMost() {
    assertThat(server.writes())
        .hasSizeLessThanOrEqualTo(1)
        .allMatch(write -> write.verb() == Verb.PATCH_STATUS);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"attach", "detach", "snapshot", "find snapshot", "destroy snapshot"})
  void whatIsNotThereIsAnAnswer(String work) throws InterruptedException {
    server.cluster().remove(Kind.SECRET, SECRET);
    assertThat(done(work))
        .isInstanceOfSatisfying(
            Outcome.Retry.class,
            it -> assertThat(it.because().message()).contains("there is none of that name"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"attach", "detach", "snapshot", "find snapshot", "destroy snapshot"})
  void soIsWhatMayNotBeRead(String work) throws InterruptedException {
    server.forbid(Kind.SECRET);
    assertThat(done(work)).isInstanceOf(Outcome.Retry.class);
  }

  /** Claims are told that they grow or change before the driver is asked, not long before. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "grow, VolumeResizeFailed",
    "change, ''",
    "destroy snapshot, SnapshotDeleteError",
  })
  void whatIsNotBegunIsToldOnceAtMost(String work, String reason) throws InterruptedException {
    silent("secrets");
    for (int i = 0; i < 3; i++) {
      assertThat(done(work)).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(server.writes()).isEmpty();
    assertThat(events)
        .extracting(ClusterEvent::reason)
        .isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
  }

  @Test
  void anAttachmentSaysItOnce() throws InterruptedException {
    silent("secrets");
    done("attach");
    String error = "failed to load secret \"vault/keys\": no answer";
    assertThat(server.cluster().get(Kind.ATTACHMENT, INLINE).attachError()).isEqualTo(error);
    assertThat(publishing.sync(attachment("v", false, error), false))
        .isInstanceOf(Outcome.Unanswered.class);
    assertThat(publishing.sync(attachment("v", true, error), false))
        .isInstanceOf(Outcome.Unanswered.class);
    assertThat(server.writes()).hasSize(1);
  }

  /** The pause of a size that the driver called infeasible does not begin without its answer. */
  @Test
  void noPauseBeginsWithoutAnAnswer() throws InterruptedException {
    silent("secrets");
    Claim infeasible = DriverClaims.growing("2Gi", "1Gi", "2Gi", ResizeState.CONTROLLER_INFEASIBLE);
    for (int i = 0; i < 2; i++) {
      assertThat(resizing.sync(infeasible, volume, false)).isInstanceOf(Outcome.Unanswered.class);
    }
  }

  @Test
  void aFinalizerThatIsNotTakenIsTriedAgainSoon() throws InterruptedException {
    volume();
    server.nextWrites(new WriteResult.Unreachable<>("away"));
    assertThat(done("attach")).isInstanceOf(Outcome.Unanswered.class);
    server.nextWrites(new WriteResult.Rejected<>(403, "no"));
    assertThat(done("attach")).isInstanceOf(Outcome.Retry.class);
  }

  @Test
  void aClassIsMissingOnlyWhereThereCouldBeOne() throws InterruptedException {
    server.cluster().remove(Kind.ATTRIBUTES_CLASS, GOLD);
    server.onRead(asked ->
        asked.verb() == Verb.LIST && asked.kind().equals(Kind.ATTRIBUTES_CLASS)
            ? new ReadResult.Failed<>("the server does not have them")
            : null);
    assertThat(done("change")).isInstanceOf(Outcome.Unanswered.class);
    assertThat(events).isEmpty();
    assertThat(server.writes()).isEmpty();
    server.onRead(asked -> null);
    assertThat(done("change")).isEqualTo(new Outcome.CheckAgain(Duration.ofSeconds(30)));
    assertThat(events).singleElement().asString().contains("VAC \"gold\" does not exist.");
  }

  /** The server may have taken it back: the driver is not asked before it stands there again. */
  @Test
  void aNoteThatWasToGoWithoutAnAnswerIsWrittenAgain() throws InterruptedException {
    server.onWrite(write ->
        write.document().toString().contains(SnapshotContent.BEING_CREATED + "=null")
            ? new WriteResult.Unreachable<>("no answer")
            : null);
    assertThat(snapshotting.sync(content("", "", false))).isInstanceOf(Outcome.Unanswered.class);
    SnapshotContent noted = server.cluster().get(Kind.SNAPSHOT_CONTENT, CONTENT);
    assertThat(noted.meta().annotation(SnapshotContent.BEING_CREATED)).isEqualTo("yes");
    server.forget();
    server.nextWrites(new WriteResult.Conflict<>("it was taken back"));
    assertThat(snapshotting.sync(noted)).isInstanceOf(Outcome.Conflicted.class);
    assertThat(server.writes())
        .singleElement()
        .satisfies(write -> assertThat(write.document().toString()).contains("being-created=yes"));
  }
}
