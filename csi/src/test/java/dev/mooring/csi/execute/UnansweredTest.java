package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.FakeServer;
import dev.mooring.csi.Given;
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
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.Builders;
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
  private final FakeServer server = new FakeServer();
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
              Optional.empty()));
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
              DriverNames.OF_SNAPSHOTS, false, Duration.ofSeconds(1), Duration.ofMinutes(5)),
          snapshotClasses,
          ports);
  private final Volume volume =
      Given.volume(meta(V, List.of(publishing.finalizer())), VolumeSource.csi(DRIVER, "h"));

  private static Meta meta(ObjectKey key, List<String> finalizers) {
    return Builders.metaOf(key).uid(key.name()).finalizers(finalizers).meta();
  }

  @BeforeEach
  void everythingIsThere() {
    Map<String, Object> source =
        Map.of(
            "driver", DRIVER,
            "volumeHandle", "h",
            "controllerPublishSecretRef", SECRET_REF,
            "controllerExpandSecretRef", SECRET_REF);
    server.objects.put(V, volume);
    server.wholes.put(V, Map.of("spec", Map.of("csi", source)));
    server.wholes.put(
        INLINE,
        Map.of(
            "spec",
            Map.of(
                "source",
                Map.of(
                    "inlineVolumeSpec",
                    Map.of("accessModes", List.of("ReadWriteOnce"), "csi", source)))));
    server.wholes.put(SECRET, Map.of("data", Map.of()));
    server.objects.put(
        GOLD, new AttributesClass(meta(GOLD, List.of()), DRIVER, Map.of("iops", "9")));
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

  private static Attachment attachment(String volume, boolean leaving, String error) {
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

  private static SnapshotContent content(String handle, String before, boolean leaving) {
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

  private static Claim growing() {
    return Given.growing("2Gi", "1Gi", null, ResizeState.NONE);
  }

  private static Claim changing() {
    return Given.claim(
        "1Gi", "gold", Map.of(), Given.status("1Gi", null, ResizeState.NONE, List.of()));
  }

  private Outcome done(String work) throws InterruptedException {
    return switch (work) {
      case "attach" -> publishing.sync(attachment("v", false, ""), false);
      case "attach inline" -> publishing.sync(attachment("", false, ""), false);
      case "detach" -> publishing.sync(attachment("v", true, ""), false);
      case "grow" -> resizing.sync(growing(), volume, false);
      case "change" -> modifying.sync(changing(), volume);
      case "snapshot" -> snapshotting.sync(content("", "", false));
      case "find snapshot" -> snapshotting.sync(content("", "snap-1", false));
      case "destroy snapshot" -> {
        SnapshotContent leaving = content("snap-1", "", true);
        server.objects.put(CONTENT, leaving);
        yield snapshotting.sync(leaving);
      }
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
    server.silent.add(silent);
    said();
    assertThat(done(work))
        .isInstanceOfSatisfying(
            Outcome.Unanswered.class, it -> assertThat(it.what()).contains("no answer"));
  }

  /** The writes that say what went wrong. */
  private void said() {
    server.answers.add(new WriteResult.Written<>(content("", "", false)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"attach", "detach", "snapshot", "find snapshot", "destroy snapshot"})
  void whatIsNotThereIsAnAnswer(String work) throws InterruptedException {
    server.wholes.remove(SECRET);
    said();
    assertThat(done(work))
        .isInstanceOfSatisfying(
            Outcome.Retry.class,
            it -> assertThat(it.because().message()).contains("there is none of that name"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"attach", "detach", "snapshot", "find snapshot", "destroy snapshot"})
  void soIsWhatMayNotBeRead(String work) throws InterruptedException {
    server.forbidden.add("secrets");
    said();
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
    server.silent.add("secrets");
    for (int i = 0; i < 3; i++) {
      assertThat(done(work)).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(server.written).isEmpty();
    assertThat(events)
        .extracting(ClusterEvent::reason)
        .isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
  }

  @Test
  void anAttachmentSaysItOnce() throws InterruptedException {
    server.silent.add("secrets");
    said();
    done("attach");
    assertThat(server.written).singleElement().asString().contains("attachError", "no answer");
    String error = "failed to load secret \"vault/keys\": no answer";
    assertThat(publishing.sync(attachment("v", false, error), false))
        .isInstanceOf(Outcome.Unanswered.class);
    assertThat(publishing.sync(attachment("v", true, error), false))
        .isInstanceOf(Outcome.Unanswered.class);
    assertThat(server.written).hasSize(1);
  }

  /** The pause of a size that the driver called infeasible does not begin without its answer. */
  @Test
  void noPauseBeginsWithoutAnAnswer() throws InterruptedException {
    server.silent.add("secrets");
    Claim infeasible = Given.growing("2Gi", "1Gi", "2Gi", ResizeState.CONTROLLER_INFEASIBLE);
    for (int i = 0; i < 2; i++) {
      assertThat(resizing.sync(infeasible, volume, false)).isInstanceOf(Outcome.Unanswered.class);
    }
  }

  @Test
  void aFinalizerThatIsNotTakenIsTriedAgainSoon() throws InterruptedException {
    server.objects.put(V, Given.volume(meta(V, List.of()), VolumeSource.csi(DRIVER, "h")));
    server.answers.add(new WriteResult.Unreachable<>("away"));
    said();
    assertThat(done("attach")).isInstanceOf(Outcome.Unanswered.class);
    server.answers.add(new WriteResult.Rejected<>(403, "no"));
    said();
    assertThat(done("attach")).isInstanceOf(Outcome.Retry.class);
  }

  @Test
  void aClassIsMissingOnlyWhereThereCouldBeOne() throws InterruptedException {
    server.objects.remove(GOLD);
    server.unserved.add("volumeattributesclasses");
    assertThat(done("change")).isInstanceOf(Outcome.Unanswered.class);
    assertThat(events).isEmpty();
    assertThat(server.written).isEmpty();
    server.unserved.clear();
    said();
    assertThat(done("change")).isEqualTo(new Outcome.CheckAgain(Duration.ofSeconds(30)));
    assertThat(events).singleElement().asString().contains("VAC \"gold\" does not exist.");
  }

  /** The server may have taken it back: the driver is not asked before it stands there again. */
  @Test
  void aNoteThatWasToGoWithoutAnAnswerIsWrittenAgain() throws InterruptedException {
    SnapshotContent content = content("", "", false);
    SnapshotContent noted =
        Builders.like(content).annotation(SnapshotContent.BEING_CREATED, "yes").build();
    server.answers.add(new WriteResult.Written<>(noted));
    server.answers.add(new WriteResult.Unreachable<>("no answer"));
    assertThat(snapshotting.sync(content)).isInstanceOf(Outcome.Unanswered.class);
    server.written.clear();
    server.answers.add(new WriteResult.Conflict<>("it was taken back"));
    assertThat(snapshotting.sync(noted)).isInstanceOf(Outcome.Conflicted.class);
    assertThat(server.written).singleElement().asString().contains("being-created=yes");
  }
}
