package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.execute.DriverSession;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.csi.CsiConnection.Done;
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
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of the attributes class of bound claims. */
class ModifyControllerTest {
  private static final String DRIVER = "ebs.csi.aws.com";

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final FakeDriver driver = new FakeDriver();
  private final AtomicInteger calls = new AtomicInteger();
  private final DriverBridge bridge =
      TestBridge.of(
          DRIVER,
          driver,
          CsiConfig.DEFAULTS,
          cluster.informers(),
          TestPorts.of(cluster, cluster, time));
  private final DriverSession session = bridge.session();
  private final StepwiseController steps =
      new StepwiseController(bridge.resizerSpec(Optional.empty()), time);

  @BeforeEach
  void startDriver() throws InterruptedException {
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(DRIVER, "1", EnumSet.allOf(DriverCapability.class)));
    driver.listedVolumes = new DriverReply.Ok<>(Map.of());
    driver.modify =
        parameters -> {
          calls.incrementAndGet();
          return new DriverReply.Ok<>(new Done());
        };
    CountDownLatch readyLatch = new CountDownLatch(1);
    session.onReady(readyLatch::countDown);
    session.start();
    readyLatch.await();
  }

  @AfterEach
  void stopDriver() throws InterruptedException {
    session.stop();
  }

  private void start(VolumeSource source) throws InterruptedException {
    Claim claim =
        cluster.put(
            Kind.CLAIM, DriverClaims.claim().annotation(CsiMigration.RESIZER, DRIVER).build());
    cluster.put(Kind.VOLUME, TestObjects.volume("v").source(source).claimRef(claim).build());
    steps.start();
    steps.settle();
  }

  private Claim claim() {
    return cluster.get(Kind.CLAIM, ObjectKey.of("ns", "c"));
  }

  private void request(String attributesClass) throws InterruptedException {
    cluster.put(Kind.CLAIM, TestObjects.like(claim()).attributesClass(attributesClass).build());
    steps.settle();
    time.advance(Duration.ofMinutes(5));
    steps.settle();
  }

  private void createClass(String name) {
    createClass(name, DRIVER);
  }

  private void createClass(String name, String driverName) {
    cluster.put(
        Kind.ATTRIBUTES_CLASS, TestObjects.attributesClass(name).driver(driverName).build());
  }

  /** Replaces the driver by a version with the capabilities, and waits until it is ready. */
  private void replaceDriver(Set<DriverCapability> capabilities) throws InterruptedException {
    driver.identity = new DriverReply.Ok<>(new DriverIdentity(DRIVER, "2", capabilities));
    CountDownLatch readyLatch = new CountDownLatch(1);
    session.onReady(readyLatch::countDown);
    driver.lose();
    readyLatch.await();
    steps.settle();
  }

  @Test
  void modification_driverLacksCapability_emitsOneEventUntilDriverIsReplaced()
      throws InterruptedException {
    Set<DriverCapability> capabilities =
        EnumSet.complementOf(EnumSet.of(DriverCapability.MODIFY_VOLUME));
    createClass("gold");
    start(VolumeSource.csi(DRIVER, "vol-1"));
    replaceDriver(capabilities);
    request("gold");
    replaceDriver(capabilities);
    assertThat(calls).hasValue(0);
    assertThat(cluster.events())
        .extracting(event -> event.note())
        .containsExactly(
            "CSI driver ebs.csi.aws.com does not support VolumeAttributesClass, so the volume is not changed to gold");
    replaceDriver(EnumSet.allOf(DriverCapability.class));
    assertThat(claim().status().attributesClass()).isEqualTo("gold");
  }

  @Test
  void modification_ofCsiVolume_succeeds() throws InterruptedException {
    createClass("gold");
    start(VolumeSource.csi(DRIVER, "vol-1"));
    request("gold");
    assertThat(calls).hasValue(1);
    assertThat(claim().status().attributesClass()).isEqualTo("gold");
  }

  /**
   * The API server refuses a class on the PersistentVolume: the call would be repeated for ever.
   */
  @Test
  void modification_ofInTreeVolume_callsNoDriver() throws InterruptedException {
    createClass("gold");
    start(new VolumeSource("awsElasticBlockStore", Map.of("volumeID", "vol-0123456789abcdef0")));
    Claim before = claim();
    request("gold");
    assertThat(calls).hasValue(0);
    assertThat(claim().status()).isEqualTo(before.status());
    assertThat(cluster.events()).isEmpty();
  }

  /** The watch of volumes may lag behind that of claims. */
  @Test
  void modification_ofVolumeThatIsSeenLater_succeeds() throws InterruptedException {
    createClass("gold");
    Claim claim = cluster.put(Kind.CLAIM, DriverClaims.claim().attributesClass("gold").build());
    steps.start();
    steps.settle();
    VolumeSource source = VolumeSource.csi(DRIVER, "vol-1");
    cluster.put(Kind.VOLUME, TestObjects.volume("v").source(source).claimRef(claim).build());
    steps.settle();
    assertThat(claim().status().attributesClass()).isEqualTo("gold");
  }

  @Test
  void modification_ofVolumeWhoseBindingIsSeenLater_succeeds() throws InterruptedException {
    createClass("gold");
    VolumeSource source = VolumeSource.csi(DRIVER, "vol-1");
    Volume free = cluster.put(Kind.VOLUME, TestObjects.volume("v").source(source).build());
    Claim claim = cluster.put(Kind.CLAIM, DriverClaims.claim().attributesClass("gold").build());
    steps.start();
    steps.settle();
    cluster.put(Kind.VOLUME, TestObjects.like(free).claimRef(claim).build());
    steps.settle();
    assertThat(claim().status().attributesClass()).isEqualTo("gold");
  }

  @Test
  void modification_toMissingClasses_emitsOneEventForEach() throws InterruptedException {
    start(VolumeSource.csi(DRIVER, "vol-1"));
    request("gold");
    request("silver");
    assertThat(cluster.events())
        .extracting(event -> event.note())
        .containsExactly("VAC \"gold\" does not exist.", "VAC \"silver\" does not exist.");
    assertThat(calls).hasValue(0);
    createClass("silver");
    time.advance(Duration.ofMinutes(1));
    steps.settle();
    assertThat(claim().status().attributesClass()).isEqualTo("silver");
  }

  @Test
  void modification_toClassOfAnotherDriver_waitsUntilClassIsReplaced() throws InterruptedException {
    createClass("gold", "b.example");
    start(VolumeSource.csi(DRIVER, "vol-1"));
    request("gold");
    assertThat(calls).hasValue(0);
    assertThat(claim().status().attributesClass()).isEmpty();
    assertThat(cluster.events())
        .extracting(event -> event.note())
        .containsExactly("VolumeAttributesClass gold belongs to driver b.example");
    createClass("gold");
    time.advance(Duration.ofMinutes(1));
    steps.settle();
    assertThat(calls).hasValue(1);
    assertThat(claim().status().attributesClass()).isEqualTo("gold");
  }

  /** The class is created for another driver by mistake. */
  @Test
  void modification_missingClassBelongsToAnotherDriver_emitsEventForEachProblem()
      throws InterruptedException {
    start(VolumeSource.csi(DRIVER, "vol-1"));
    request("gold");
    createClass("gold", "b.example");
    time.advance(Duration.ofMinutes(5));
    steps.settle();
    assertThat(cluster.events())
        .extracting(event -> event.note())
        .containsExactly(
            "VAC \"gold\" does not exist.",
            "VolumeAttributesClass gold belongs to driver b.example");
  }

  @Test
  void modification_toMissingClassThatDriverMayBeApplying_staysInProgress()
      throws InterruptedException {
    createClass("gold");
    start(VolumeSource.csi(DRIVER, "vol-1"));
    driver.modify =
        parameters -> {
          calls.incrementAndGet();
          return new DriverReply.Refused<>(StatusCode.DEADLINE_EXCEEDED, "slow");
        };
    request("gold");
    cluster.remove(Kind.ATTRIBUTES_CLASS, ObjectKey.cluster("gold"));
    createClass("silver");
    calls.set(0);
    request("silver");
    assertThat(claim().status().modification())
        .isEqualTo(new Claim.Modification("gold", "InProgress"));
    assertThat(calls).as("calls for another class").hasValue(0);
    assertThat(cluster.events())
        .extracting(event -> event.note())
        .containsOnlyOnce("VAC \"gold\" does not exist.");
  }
}
