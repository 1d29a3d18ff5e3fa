package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import dev.mooring.testkit.VolumeBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Reconciles of VolumeAttachments, and the events that trigger them. */
class AttachControllerTest {
  private static final String DRIVER = "d.example.com";
  private static final ObjectKey ATTACHMENT = ObjectKey.cluster("a");

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();
  private final FakeDriver driver = new FakeDriver();
  private final List<String> published = new ArrayList<>();
  private final ClusterPorts ports = TestPorts.of(server, cluster, time);
  private final DriverBridge bridge =
      TestBridge.of(DRIVER, driver, CsiConfig.DEFAULTS, cluster.informers(), ports);
  private final DriverSession session = bridge.session();
  private final StepwiseController steps = new StepwiseController(bridge.attacherSpec(), time);

  /**
   * Waits until the session has notified its listeners, so that a later listener is not notified by
   * it.
   */
  @BeforeEach
  void setUpDriver() throws InterruptedException {
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(DRIVER, "1", EnumSet.allOf(DriverCapability.class)));
    driver.listedVolumes = new DriverReply.Ok<>(Map.of());
    driver.publish =
        request -> {
          published.add(request.volumeId() + " on " + request.nodeId());
          return new DriverReply.Ok<>(Map.of());
        };
    cluster.put(Kind.CSI_NODE, TestObjects.csiNode("n").driver(DRIVER, "id-n").build());
    CountDownLatch readyLatch = new CountDownLatch(1);
    session.onReady(readyLatch::countDown);
    session.start();
    readyLatch.await();
  }

  @AfterEach
  void stop() throws InterruptedException {
    session.stop();
  }

  private static VolumeBuilder volume(String uid) {
    return TestObjects.volume("v").uid(uid).source(VolumeSource.csi(DRIVER, "h"));
  }

  private Attachment attachment() {
    return cluster.get(Kind.ATTACHMENT, ATTACHMENT);
  }

  /** Requests an attachment of a volume that is being deleted. */
  private void attachDeletedVolume() throws InterruptedException {
    Volume volumeDeleted = volume("1").deleted(2).finalizer("kubernetes.io/pv-protection").build();
    cluster.put(Kind.VOLUME, volumeDeleted);
    attach();
  }

  /** Requests an attachment of the volume. */
  private void attach() throws InterruptedException {
    cluster.put(
        Kind.ATTACHMENT,
        TestObjects.attachment(ATTACHMENT).attacher(DRIVER).volumeName("v").nodeName("n").build());
    steps.start();
    steps.settle();
  }

  @Test
  void attach_driverRefusedMany_waitsForTheRate() throws Exception {
    for (int i = 0; i < 3; i++) {
      session.call(
          "ControllerPublishVolume",
          connection -> new DriverReply.Refused<>(StatusCode.RESOURCE_EXHAUSTED, "too many"));
    }
    cluster.put(Kind.VOLUME, volume("1").build());
    cluster.put(
        Kind.ATTACHMENT,
        TestObjects.attachment(ATTACHMENT).attacher(DRIVER).volumeName("v").nodeName("n").build());
    steps.start();
    FutureTask<Boolean> running =
        new FutureTask<>(() -> {
          steps.settle();
          return true;
        });
    Thread.ofPlatform().daemon().start(running);
    TestWait.until("the queue waits for room", () -> session.pace().isWaiting());
    assertThat(published).isEmpty();
    TestWait.until(
        "the queue is empty",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return running.isDone();
        });
    assertThat(running.get()).isTrue();
    assertThat(attachment().attached()).isTrue();
  }

  private void passOneHour() throws InterruptedException {
    for (int minute = 0; minute < 60; minute++) {
      time.advance(Duration.ofMinutes(1));
      steps.settle();
    }
  }

  @Test
  void attach_volumeDeleted_writesErrorOnce() throws InterruptedException {
    attachDeletedVolume();
    Attachment attachmentBefore = attachment();
    assertThat(attachmentBefore.attachError())
        .isEqualTo("PersistentVolume \"v\" is marked for deletion");
    passOneHour();
    assertThat(attachment()).isEqualTo(attachmentBefore);
    assertThat(published).isEmpty();
  }

  /**
   * A write that was given up may succeed an hour later, and only this controller can correct it.
   */
  @Test
  void status_lateWriteOfOldError_isCorrected() throws InterruptedException {
    attachDeletedVolume();
    Attachment attachmentBefore = attachment();
    cluster.put(
        Kind.ATTACHMENT, TestObjects.like(attachmentBefore).attachError("no answer").build());
    steps.settle();
    assertThat(attachment().attachError()).isEqualTo(attachmentBefore.attachError());
  }

  /** The answer was lost before the volume was deleted; the driver's list changes nothing now. */
  @Test
  void attach_volumeDeletedButListed_callsNothing() throws InterruptedException {
    driver.listedVolumes = new DriverReply.Ok<>(Map.of("h", new ListedVolume(1, List.of("id-n"))));
    attachDeletedVolume();
    int requests = server.requests().size();
    passOneHour();
    assertThat(server.requests()).hasSize(requests);
  }

  /** The driver lists the project, which handles of in-tree GCE disks lack. */
  @Test
  void attach_partialHandleListed_publishesOnce() throws InterruptedException {
    String node = "projects/p/zones/z/instances/n";
    driver.listedVolumes =
        new DriverReply.Ok<>(
            Map.of("projects/p/zones/z/disks/d", new ListedVolume(1, List.of(node))));
    cluster.put(Kind.CSI_NODE, TestObjects.csiNode("n").driver(DRIVER, node).build());
    VolumeSource source = VolumeSource.csi(DRIVER, "projects/UNSPECIFIED/zones/z/disks/d");
    cluster.put(Kind.VOLUME, volume("1").source(source).build());
    attach();
    passOneHour();
    assertThat(attachment().attached()).isTrue();
    assertThat(published).hasSize(1);
  }

  /** A detach by hand is noticed for volumes without a PersistentVolume too. */
  @Test
  void attach_inlineVolumeNoLongerListed_publishesAgain() throws InterruptedException {
    driver.listedVolumes = new DriverReply.Ok<>(Map.of("h", new ListedVolume(1, List.of("id-n"))));
    cluster.put(
        Kind.ATTACHMENT, TestObjects.attachment(ATTACHMENT).attacher(DRIVER).nodeName("n").build());
    Map<String, Object> source = Map.of("driver", DRIVER, "volumeHandle", "h");
    cluster.patch(
        Kind.ATTACHMENT,
        ATTACHMENT,
        Document.empty()
            .set(
                Map.of("accessModes", List.of("ReadWriteOnce"), "csi", source),
                "spec",
                "source",
                "inlineVolumeSpec"));
    steps.start();
    steps.settle();
    time.advance(Duration.ofMinutes(2));
    steps.settle();
    assertThat(published).containsExactly("h on id-n");
    driver.listedVolumes = new DriverReply.Ok<>(Map.of());
    time.advance(Duration.ofMinutes(2));
    steps.settle();
    assertThat(published).containsExactly("h on id-n", "h on id-n");
  }

  @ParameterizedTest
  @MethodSource
  void status_unwritten_isRetried(WriteResult<Attachment> failure) throws InterruptedException {
    List<FaultyCluster.Request> rejectedRequests = new ArrayList<>();
    server.onWrite(request -> {
      if (!rejectedRequests.isEmpty() || request.verb() != FaultyCluster.Verb.PATCH_STATUS) {
        return null;
      }
      rejectedRequests.add(request);
      return failure;
    });
    attachDeletedVolume();
    assertThat(rejectedRequests).hasSize(1);
    passOneHour();
    assertThat(attachment().attachError())
        .isEqualTo("PersistentVolume \"v\" is marked for deletion");
  }

  static Stream<WriteResult<Attachment>> status_unwritten_isRetried() {
    return Stream.of(
        new WriteResult.Conflict<>("changed"),
        new WriteResult.Unreachable<>("away"),
        new WriteResult.Rejected<>(500, "no"));
  }

  /** Like a server that was restored from a backup. */
  @Test
  void attach_deletionReverted_succeeds() throws InterruptedException {
    attachDeletedVolume();
    cluster.put(Kind.VOLUME, volume("1").build());
    steps.settle();
    assertThat(attachment().attached()).isTrue();
  }

  @Test
  void status_errorRemoved_isWrittenAgain() throws InterruptedException {
    attachDeletedVolume();
    Attachment attachmentBefore = attachment();
    cluster.put(Kind.ATTACHMENT, TestObjects.like(attachmentBefore).attachError("").build());
    steps.settle();
    assertThat(attachment().attachError()).isEqualTo(attachmentBefore.attachError());
  }

  /** The API server rejects longer messages: nobody would see why the volume is missing. */
  @Test
  void status_longError_isCutToLimit() throws InterruptedException {
    driver.publish = request -> new DriverReply.Refused<>(StatusCode.INTERNAL, "é".repeat(5_000));
    cluster.put(Kind.VOLUME, volume("1").build());
    attach();
    String error = attachment().attachError();
    assertThat(error).startsWith("rpc error: code = Internal desc = éé");
    assertThat(error.getBytes(StandardCharsets.UTF_8).length).isBetween(1_020, 1_024);
  }

  /** Kubelets evaluate the code of a driver without capacity. */
  @Test
  void status_newErrorWithoutCode_removesOldCode() throws InterruptedException {
    driver.publish = request -> new DriverReply.Refused<>(StatusCode.RESOURCE_EXHAUSTED, "full");
    cluster.put(Kind.VOLUME, volume("1").build());
    attach();
    assertThat(status()).contains("errorCode=" + StatusCode.RESOURCE_EXHAUSTED.number());
    cluster.put(
        Kind.VOLUME, volume("1").deleted(2).finalizer("kubernetes.io/pv-protection").build());
    passOneHour();
    assertThat(status()).contains("marked for deletion").doesNotContain("errorCode");
  }

  private String status() {
    return cluster.readWhole(Kind.ATTACHMENT, ATTACHMENT)
            instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> object)
        ? String.valueOf(object.get("status"))
        : "";
  }

  @Test
  void attach_volumeReplaced_publishesNewVolume() throws InterruptedException {
    attachDeletedVolume();
    cluster.put(Kind.VOLUME, volume("2").build());
    steps.settle();
    assertThat(published).containsExactly("h on id-n");
    assertThat(attachment().attached()).isTrue();
  }

  @Test
  void attach_volumeDeletedAndRecreated_publishesNewVolume() throws InterruptedException {
    attachDeletedVolume();
    cluster.remove(Kind.VOLUME, ObjectKey.cluster("v"));
    steps.settle();
    cluster.put(Kind.VOLUME, volume("2").build());
    steps.settle();
    assertThat(attachment().attached()).isTrue();
  }

  /** For example two attachments of one volume at once: a conflict needs no status. */
  @ParameterizedTest
  @CsvSource({"persistentvolumes", "volumeattachments"})
  void attach_conflict_writesNoError(String plural) throws InterruptedException {
    List<FaultyCluster.Request> rejectedRequests = new ArrayList<>();
    server.onWrite(request -> {
      if (!rejectedRequests.isEmpty()
          || request.verb() != FaultyCluster.Verb.PATCH
          || !request.kind().plural().equals(plural)) {
        return null;
      }
      rejectedRequests.add(request);
      return new WriteResult.Conflict<>("changed");
    });
    cluster.put(Kind.VOLUME, volume("1").build());
    attach();
    assertThat(rejectedRequests).hasSize(1);
    assertThat(attachment().attachError()).isEmpty();
    time.advance(Duration.ofSeconds(1));
    steps.settle();
    assertThat(attachment().attached()).isTrue();
  }
}
