package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.Expanded;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Retries for drivers that grow only unused volumes. */
class ResizeControllerTest {
  private static final String DRIVER = "d.example.com";
  private static final ObjectKey POD = ObjectKey.of("ns", "p");
  private static final ObjectKey ATTACHMENT = ObjectKey.cluster("a");
  private static final Quantity WANTED = Quantity.of("2Gi");

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final FakeDriver driver = new FakeDriver();
  private final AtomicInteger calls = new AtomicInteger();
  private final ClusterPorts ports = TestPorts.of(cluster, cluster, time);
  private final DriverBridge bridge =
      TestBridge.of(DRIVER, driver, CsiConfig.DEFAULTS, cluster.informers(), ports);
  private final DriverSession session = bridge.session();
  private final StepwiseController steps =
      new StepwiseController(bridge.resizerSpec(Optional.empty()), time);

  /** The driver has refused; without an event the claim waits for minutes. */
  @BeforeEach
  void setUpRefusedGrowth() throws InterruptedException {
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(DRIVER, "1", EnumSet.allOf(DriverCapability.class)));
    driver.listedVolumes = new DriverReply.Ok<>(Map.of());
    driver.expand =
        request -> {
          calls.incrementAndGet();
          return new DriverReply.Refused<>(StatusCode.FAILED_PRECONDITION, "it is in use");
        };
    Claim claim =
        cluster.put(Kind.CLAIM, DriverClaims.growing("2Gi", "1Gi", null, Claim.ResizeState.NONE));
    cluster.put(
        Kind.VOLUME,
        TestObjects.volume("v")
            .storage("1Gi")
            .source(VolumeSource.csi(DRIVER, "h"))
            .claimRef(claim)
            .build());
    cluster.put(Kind.POD, pod());
    attach("a", "v");
    CountDownLatch readyLatch = new CountDownLatch(1);
    session.onReady(readyLatch::countDown);
    session.start();
    readyLatch.await();
    steps.start();
    steps.settle();
    assertThat(calls.getAndSet(0)).isPositive();
  }

  @AfterEach
  void stop() throws InterruptedException {
    session.stop();
  }

  private static Pod pod() {
    return TestObjects.pod(POD).claims("c").runningOn("n").build();
  }

  private void attach(String name, String volume) {
    cluster.put(
        Kind.ATTACHMENT,
        TestObjects.attachment(name)
            .attacher(DRIVER)
            .volumeName(volume)
            .nodeName("n")
            .finalizer("external-attacher/" + DRIVER)
            .build());
  }

  private Claim claim() {
    return cluster.get(Kind.CLAIM, ObjectKey.of("ns", "c"));
  }

  private Quantity granted() {
    return claim().status().storage();
  }

  private void acceptGrowth() {
    driver.expand =
        request -> {
          calls.incrementAndGet();
          return new DriverReply.Ok<>(new Expanded(WANTED.toBytesCeiling(), false));
        };
  }

  @Test
  void refusedInUse_otherObjectsChange_isNotRetried() throws InterruptedException {
    time.advance(Duration.ofMinutes(10));
    steps.settle(); // the event about waiting is emitted
    int before = cluster.events().size();
    cluster.put(Kind.POD, TestObjects.pod("ns", "q").claims("c").runningOn("n").build());
    cluster.put(Kind.POD, TestObjects.pod("ns", "r").claims("another").runningOn("n").build());
    cluster.remove(Kind.POD, ObjectKey.of("ns", "q"));
    cluster.remove(Kind.POD, ObjectKey.of("ns", "r"));
    attach("b", "w");
    cluster.remove(Kind.ATTACHMENT, ObjectKey.cluster("b"));
    assertThat(steps.isIdle()).as("nothing is requeued").isTrue();
    steps.settle();
    assertThat(calls).hasValue(0);
    assertThat(cluster.events()).hasSize(before);
  }

  /** The refusal is obsolete then, even if pods wait. */
  @Test
  void refusedInUse_detachedDuringCall_isRetried() throws InterruptedException {
    driver.expand =
        request -> {
          calls.incrementAndGet();
          cluster.remove(Kind.ATTACHMENT, ATTACHMENT);
          acceptGrowth();
          return new DriverReply.Refused<>(StatusCode.FAILED_PRECONDITION, "it is in use");
        };
    cluster.remove(Kind.POD, POD);
    assertThat(steps.step("csi-resizer-" + DRIVER)).isTrue();
    cluster.put(Kind.POD, pod());
    steps.settle();
    assertThat(calls).hasValue(2);
    assertThat(granted()).isEqualTo(WANTED);
  }

  @Test
  void refusedInUse_otherSize_emitsEvent() throws InterruptedException {
    time.advance(Duration.ofMinutes(10));
    steps.settle();
    int before = cluster.events().size();
    cluster.put(Kind.CLAIM, TestObjects.like(claim()).request("3Gi").build());
    steps.settle();
    assertThat(calls).hasValue(0);
    assertThat(cluster.events()).hasSize(before + 1).last().asString().contains("in-use");
    assertThat(claim().status().resize().allocated()).isEqualTo(Quantity.of("3Gi"));
  }

  /** The claim is not growing, and its pod may run for months. */
  @Test
  void refusedInUse_modification_succeeds() throws InterruptedException {
    driver.modify = parameters -> new DriverReply.Ok<>(new Done());
    time.advance(Duration.ofMinutes(10));
    steps.settle();
    cluster.put(Kind.ATTRIBUTES_CLASS, TestObjects.attributesClass("gold").driver(DRIVER).build());
    cluster.put(Kind.CLAIM, TestObjects.like(claim()).attributesClass("gold").build());
    steps.settle();
    assertThat(claim().status().attributesClass()).isEqualTo("gold");
    assertThat(calls).hasValue(0);
  }

  /** A final refusal ends the growth; other codes leave open whether the driver works on it. */
  @ParameterizedTest
  @CsvSource({"INTERNAL, gold", "DEADLINE_EXCEEDED, ''"})
  void refusedGrowth_modification_waitsForUnknownOutcome(StatusCode code, String expectedClass)
      throws InterruptedException {
    cluster.remove(Kind.POD, POD);
    cluster.remove(Kind.ATTACHMENT, ATTACHMENT);
    driver.expand = request -> new DriverReply.Refused<>(code, "no");
    driver.modify = parameters -> new DriverReply.Ok<>(new Done());
    steps.settle();
    requestGold();
    assertThat(claim().status().attributesClass()).isEqualTo(expectedClass);
  }

  private void requestGold() throws InterruptedException {
    cluster.put(Kind.ATTRIBUTES_CLASS, TestObjects.attributesClass("gold").driver(DRIVER).build());
    cluster.put(Kind.CLAIM, TestObjects.like(claim()).attributesClass("gold").build());
    passTenMinutes();
  }

  private void passTenMinutes() throws InterruptedException {
    for (int minute = 0; minute < 10; minute++) {
      steps.settle();
      time.advance(Duration.ofMinutes(1));
    }
  }

  /** No call follows for such a size, but an earlier call may be running. */
  @ParameterizedTest
  @CsvSource({"INTERNAL, gold", "DEADLINE_EXCEEDED, ''"})
  void growthBeyondInt64Bytes_modification_waitsForUnknownOutcome(
      StatusCode code, String expectedClass) throws InterruptedException {
    cluster.remove(Kind.POD, POD);
    cluster.remove(Kind.ATTACHMENT, ATTACHMENT);
    driver.expand = request -> new DriverReply.Refused<>(code, "no");
    driver.modify = parameters -> new DriverReply.Ok<>(new Done());
    steps.settle();
    cluster.put(Kind.CLAIM, TestObjects.like(claim()).request("8Ei").build());
    steps.settle();
    requestGold();
    assertThat(claim().status().attributesClass()).isEqualTo(expectedClass);
  }

  /** The driver works on no growth after an answer, even if it is not the requested one. */
  @Test
  void growthAnsweredWithTooFewBytes_modification_succeeds() throws InterruptedException {
    cluster.remove(Kind.POD, POD);
    cluster.remove(Kind.ATTACHMENT, ATTACHMENT);
    driver.expand = request -> new DriverReply.Refused<>(StatusCode.DEADLINE_EXCEEDED, "slow");
    driver.modify = parameters -> new DriverReply.Ok<>(new Done());
    steps.settle();
    driver.expand = request -> new DriverReply.Ok<>(new Expanded(1, false));
    requestGold();
    assertThat(claim().status().attributesClass()).isEqualTo("gold");
  }

  /** The driver is not called, but an earlier process may have called it. */
  @ParameterizedTest
  @CsvSource({"NONE, gold", "CONTROLLER_IN_PROGRESS, ''"})
  void growthWithoutSecret_modification_waitsForCallOfEarlierProcess(
      Claim.ResizeState state, String expectedClass) throws InterruptedException {
    driver.modify = parameters -> new DriverReply.Ok<>(new Done());
    cluster.put(Kind.ATTRIBUTES_CLASS, TestObjects.attributesClass("gold").driver(DRIVER).build());
    ObjectKey key = ObjectKey.of("ns", "without-secret");
    Claim claim =
        cluster.put(
            Kind.CLAIM,
            DriverClaims.claim()
                .key(key)
                .uid("without-secret")
                .volumeName("w")
                .request("2Gi")
                .resize(state == Claim.ResizeState.NONE ? null : "2Gi", state)
                .attributesClass("gold")
                .build());
    putVolumeWithoutSecret(claim);
    passTenMinutes();
    assertThat(cluster.get(Kind.CLAIM, key).status().attributesClass()).isEqualTo(expectedClass);
    assertThat(cluster.get(Kind.CLAIM, key).status().resize().state()).isEqualTo(state);
    assertThat(calls).hasValue(0);
    assertThat(cluster.events())
        .filteredOn(event -> event.note().contains("\"vault/none\": it does not exist"))
        .extracting(event -> event.reason())
        .containsExactly("VolumeResizeFailed");
  }

  /** Creates a volume that the driver can modify, and cannot grow because a Secret is missing. */
  private void putVolumeWithoutSecret(Claim claim) {
    cluster.create(
        Kind.SECRET, ObjectKey.of("vault", "keys"), Document.empty().set(Map.of(), "data"));
    Volume volume =
        cluster.put(
            Kind.VOLUME,
            TestObjects.volume("w")
                .storage("1Gi")
                .source(VolumeSource.csi(DRIVER, "w"))
                .annotation("volume.kubernetes.io/controller-modify-secret-name", "keys")
                .annotation("volume.kubernetes.io/controller-modify-secret-namespace", "vault")
                .claimRef(claim)
                .build());
    cluster.patch(
        Kind.VOLUME,
        volume.key(),
        Document.empty()
            .set(
                Map.of("namespace", "vault", "name", "none"),
                "spec",
                "csi",
                "controllerExpandSecretRef"));
  }

  /** A newer version may grow volumes in use. */
  @Test
  void refusedInUse_driverReplaced_isRetried() throws InterruptedException {
    acceptGrowth();
    CountDownLatch readyLatch = new CountDownLatch(1);
    session.onReady(readyLatch::countDown);
    driver.lose();
    readyLatch.await();
    steps.settle();
    assertThat(granted()).isEqualTo(WANTED);
  }

  /** Nothing is written or emitted again either. */
  @Test
  void refusedInUse_timePasses_isNotRetried() throws InterruptedException {
    steps.settle();
    time.advance(Duration.ofMinutes(10));
    steps.settle();
    assertThat(calls).hasValue(0);
    Claim old = claim();
    assertThat(cluster.events()).hasSize(3).last().asString().contains("currently in-use");
    time.advance(Duration.ofHours(1));
    steps.settle();
    assertThat(claim()).isEqualTo(old);
    assertThat(cluster.events()).hasSize(3);
  }

  @Test
  void refusedInUse_lastPodDeleted_isRetried() throws InterruptedException {
    acceptGrowth();
    cluster.remove(Kind.POD, POD);
    steps.settle();
    assertThat(calls).hasValue(1);
    assertThat(granted()).isEqualTo(WANTED);
  }

  @Test
  void refusedInUse_lastPodFinished_isRetried() throws InterruptedException {
    acceptGrowth();
    cluster.put(Kind.POD, TestObjects.like(pod()).phase(Pod.Phase.SUCCEEDED).build());
    steps.settle();
    assertThat(granted()).isEqualTo(WANTED);
  }

  /** The watch missed the deletion of the pod. */
  @Test
  void refusedInUse_lastPodReplaced_isRetried() throws InterruptedException {
    acceptGrowth();
    cluster.put(Kind.POD, TestObjects.pod(POD).uid("another").runningOn("n").build());
    steps.settle();
    assertThat(granted()).isEqualTo(WANTED);
  }

  /** The pod waits for a node that may never get the volume, and nothing blocks the growth. */
  @Test
  void refusedInUse_detachedWhilePodWaits_isRetried() throws InterruptedException {
    attach("b", "v");
    steps.settle();
    acceptGrowth();
    cluster.remove(Kind.ATTACHMENT, ObjectKey.cluster("b"));
    steps.settle();
    assertThat(calls).as("still attached").hasValue(0);
    cluster.put(
        Kind.ATTACHMENT,
        TestObjects.attachment("waits").attacher(DRIVER).volumeName("v").nodeName("m").build());
    cluster.remove(Kind.ATTACHMENT, ATTACHMENT);
    steps.settle();
    assertThat(granted()).isEqualTo(WANTED);
  }

  /** A volume may stay attached for minutes after its last pod has ended. */
  @Test
  void refusedInUse_volumeDetached_isRetried() throws InterruptedException {
    cluster.remove(Kind.POD, POD);
    steps.settle();
    assertThat(granted()).as("refused while attached").isNotEqualTo(WANTED);
    acceptGrowth();
    cluster.remove(Kind.ATTACHMENT, ATTACHMENT);
    steps.settle();
    assertThat(granted()).isEqualTo(WANTED);
  }

  /** OK with less than was requested is a failure like any other. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1L << 30, 3L << 29})
  void expansion_answeredWithTooFewBytes_isRetriedAtBackOffs(long bytes)
      throws InterruptedException {
    driver.expand =
        request -> {
          calls.incrementAndGet();
          return new DriverReply.Ok<>(new Expanded(bytes, false));
        };
    cluster.remove(Kind.POD, POD);
    cluster.remove(Kind.ATTACHMENT, ATTACHMENT);
    for (int i = 0; i < 600; i++) {
      steps.settle();
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(calls.get()).isBetween(2, 20);
    assertThat(granted()).isEqualTo(Quantity.of("1Gi"));
    assertThat(cluster.events())
        .anySatisfy(event -> assertThat(event.note()).contains("answered OK with " + bytes));
  }

  @Test
  void expansion_beyondInt64Bytes_isRefusedOnceWithoutACall() throws InterruptedException {
    acceptGrowth();
    cluster.remove(Kind.POD, POD);
    cluster.remove(Kind.ATTACHMENT, ATTACHMENT);
    cluster.put(Kind.CLAIM, TestObjects.like(claim()).request("10E").build());
    for (int i = 0; i < 60; i++) {
      steps.settle();
      time.advance(Duration.ofMinutes(1));
    }
    assertThat(calls).hasValue(0);
    assertThat(granted()).isEqualTo(Quantity.of("1Gi"));
    assertThat(cluster.events())
        .filteredOn(event -> event.note().contains("at most 9223372036854775807 bytes"))
        .hasSize(1);
    cluster.put(Kind.CLAIM, TestObjects.like(claim()).request("2Gi").build());
    steps.settle();
    assertThat(granted()).as("the claim requests less").isEqualTo(WANTED);
  }
}
