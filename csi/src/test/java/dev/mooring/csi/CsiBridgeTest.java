package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.CsiBridge.DriverStatus;
import dev.mooring.informer.Informer;
import dev.mooring.informer.Reflector;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.reconcile.ControllerGroup;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Controllers of drivers, and their order of start and stop. */
class CsiBridgeTest {
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final String FIRST = "first.example.com";
  private static final String SECOND = "second.example.com";
  private static final DriverNames NAMES = DriverNames.OF_VOLUMES.with("disk", -1);

  private final SystemTime time = new SystemTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<ProvisionedStorage> storages = new CopyOnWriteArrayList<>();
  private final List<Reflector<?>> reflectors = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    for (Reflector<?> reflector : reflectors) {
      reflector.stop();
    }
    time.close();
  }

  private <T extends Resource> void fill(Informer<T> informer) {
    Reflector<T> reflector = new Reflector<>(informer, GivenListWatch.empty(), time, () -> 0.5);
    reflectors.add(reflector);
    reflector.start();
  }

  /** Returns a driver that records its calls. */
  private FakeDriver recordingDriver(String name) {
    FakeDriver driver = new FakeDriver();
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(name, "1", EnumSet.of(DriverCapability.CONTROLLER_SERVICE)));
    driver.duringIdentify = () -> log.add(name + " is identified");
    driver.onClose = () -> log.add(name + " is closed");
    return driver;
  }

  private ControllerSpec provisioner(ProvisionedStorage storage) {
    storages.add(storage);
    storage.onReady().accept(() -> log.add(storage.name() + " is notified"));
    return ControllerSpec.builder(storage.name())
        .once(() -> log.add(storage.name() + " starts"))
        .work(
            new ControllerSpec.SlowWork() {
              @Override
              public boolean isQuiet() {
                return true;
              }

              @Override
              public boolean close(Duration grace) {
                log.add(storage.name() + " stops");
                return true;
              }
            })
        .build();
  }

  private CsiBridge bridge(CsiConfig config, String... drivers) {
    return new CsiBridge(
        new CsiBridge.Config(
            "host",
            GivenListWatch.empty(),
            Stream.of(drivers)
                .map(name -> new CsiBridge.Driver(name, recordingDriver(name), config, NAMES))
                .toList()),
        cluster.informers(),
        TestPorts.of(cluster, cluster, time),
        this::provisioner,
        new DeletionBreaker(0, Duration.ofMinutes(10), time));
  }

  private static CsiConfig configWithSnapshots() {
    return CsiConfig.DEFAULTS.with(
        new CsiConfig.Snapshots(DriverNames.OF_SNAPSHOTS, Optional.of(DriverNames.OF_GROUPS)));
  }

  /** The driver is identified after the start of all users, and closed after their stop. */
  @Test
  void session_ofDriver_startsLastAndStopsLast() throws InterruptedException {
    CsiBridge bridge = bridge(CsiConfig.DEFAULTS, FIRST, SECOND);
    ControllerGroup group = new ControllerGroup(bridge.spec(), time);
    group.reads().forEach(this::fill);
    group.start();
    TestWait.until(
        "both are ready", () -> bridge.drivers().stream().allMatch(DriverStatus::isReady));
    TestWait.until(
        "both are notified",
        () -> log.stream().filter(what -> what.endsWith(" is notified")).count() == 2);
    assertThat(log)
        .containsSubsequence(
            "csi-provisioner-" + FIRST + " starts",
            FIRST + " is identified",
            "csi-provisioner-" + FIRST + " is notified")
        .containsSubsequence(
            "csi-provisioner-" + FIRST + " starts",
            "csi-provisioner-" + SECOND + " starts",
            SECOND + " is identified",
            "csi-provisioner-" + SECOND + " is notified");
    log.clear();
    assertThat(group.stop(GRACE)).isTrue();
    assertThat(log)
        .containsExactly(
            "csi-provisioner-" + FIRST + " stops",
            FIRST + " is closed",
            "csi-provisioner-" + SECOND + " stops",
            SECOND + " is closed");
  }

  @Test
  void stop_withoutStart_closesConnection() throws InterruptedException {
    assertThat(new ControllerGroup(bridge(CsiConfig.DEFAULTS, FIRST).spec(), time).stop(GRACE))
        .isTrue();
    assertThat(log).containsExactly("csi-provisioner-" + FIRST + " stops", FIRST + " is closed");
  }

  @Test
  void storage_config_matchesDriver() {
    CsiConfig config =
        CsiConfig.DEFAULTS
            .with(new CsiConfig.Calls(GRACE, 7, GRACE, GRACE))
            .with(
                new CsiConfig.NodeDeployment(
                    "n", true, Duration.ofSeconds(2), Duration.ofSeconds(3)));
    bridge(config, FIRST);
    ProvisionedStorage storage = storages.getFirst();
    assertThat(storage.config().workers()).isEqualTo(7);
    assertThat(storage.config().names()).isEqualTo(NAMES);
    assertThat(storage.config().reporter()).startsWith(FIRST);
    assertThat(storage.volumes().provisionerNames()).containsExactly(FIRST);
    assertThat(storage.node().orElseThrow().name()).isEqualTo("n");
    assertThat(storage.node().orElseThrow().acceptsImmediate()).isTrue();
    assertThat(storage.node().orElseThrow().baseDelay()).isEqualTo(Duration.ofSeconds(2));
    assertThat(storage.node().orElseThrow().maxDelay()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void storage_withoutNodeDeployment_hasNoNode() {
    bridge(CsiConfig.DEFAULTS, FIRST);
    assertThat(storages.getFirst().node()).isEmpty();
  }

  /** The annotations of a claim name its Secret, also if capacity is published. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void storage_classReadsAnnotations_readsWholeClaims(boolean capacity) {
    CsiConfig published =
        CsiConfig.DEFAULTS.with(
            new CsiConfig.Capacity(
                "ns", Duration.ofMinutes(1), false, CsiConfig.CapacityOwner.NONE));
    bridge(capacity ? published : CsiConfig.DEFAULTS, FIRST);
    StorageClass annotated =
        TestObjects.storageClass(ObjectKey.cluster("c"))
            .provisioner(FIRST)
            .parameters(
                Map.of(
                    "csi.storage.k8s.io/provisioner-secret-name",
                    "${pvc.annotations['team']}",
                    "csi.storage.k8s.io/provisioner-secret-namespace",
                    "vault"))
            .build();
    assertThat(storages.getFirst().volumes().needsFullClaims(annotated)).isTrue();
  }

  /** Snapshot kinds only if snapshots are enabled, because not every cluster has them. */
  @Test
  void reads_snapshotKinds_onlyIfEnabled() {
    List<Kind<?>> requiredKinds =
        List.of(
            Kind.CLAIM,
            Kind.VOLUME,
            Kind.POD,
            Kind.NODE,
            Kind.ATTACHMENT,
            Kind.CSI_NODE,
            Kind.STORAGE_CLASS);
    assertThat(new ControllerGroup(bridge(CsiConfig.DEFAULTS, FIRST).spec(), time).reads())
        .containsExactlyInAnyOrderElementsOf(
            requiredKinds.stream().map(cluster.informers()::of).toList());
    assertThat(new ControllerGroup(bridge(configWithSnapshots(), FIRST).spec(), time).reads())
        .contains(
            cluster.informers().of(Kind.SNAPSHOT),
            cluster.informers().of(Kind.SNAPSHOT_CLASS),
            cluster.informers().of(Kind.SNAPSHOT_CONTENT),
            cluster.informers().of(Kind.GROUP_SNAPSHOT_CLASS),
            cluster.informers().of(Kind.GROUP_SNAPSHOT_CONTENT))
        .hasSize(requiredKinds.size() + 5);
  }

  /** Caches of kinds that may be missing must not delay the start. */
  @Test
  void start_snapshotKinds_areNotAwaited() {
    assertThat(bridge(configWithSnapshots(), FIRST).spec().members())
        .flatExtracting(ControllerSpec::reads)
        .doesNotContain(
            cluster.informers().of(Kind.SNAPSHOT),
            cluster.informers().of(Kind.SNAPSHOT_CLASS),
            cluster.informers().of(Kind.SNAPSHOT_CONTENT),
            cluster.informers().of(Kind.GROUP_SNAPSHOT_CLASS),
            cluster.informers().of(Kind.GROUP_SNAPSHOT_CONTENT));
  }
}
