package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.SnapshotStore;
import dev.mooring.reference.VolumeStore;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.ExpandRequest;
import dev.mooring.spi.csi.CsiConnection.Expanded;
import dev.mooring.spi.csi.CsiConnection.PublishRequest;
import dev.mooring.spi.csi.CsiConnection.Topology;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.spi.csi.VolumeAccess;
import dev.mooring.testkit.TestWait;
import io.grpc.Status;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every call, over a real socket. */
class GrpcConnectorTest {
  private static final VolumeAccess WRITER =
      new VolumeAccess(false, "ext4", List.of("noatime"), VolumeAccess.Mode.SINGLE_NODE_WRITER);
  private static final Settings ABLE =
      Settings.of(
          "d.example.com",
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.NODE_EXPAND_VOLUME);

  @TempDir private Path folder;
  private Path socket;
  private CsiConnection connection;

  @BeforeEach
  void connect() {
    socket = folder.resolve("csi.sock");
    connection = new GrpcConnector().connect("unix://" + socket, Duration.ofSeconds(5));
  }

  @AfterEach
  void disconnect() {
    connection.close();
  }

  private ReferenceDriver driver(Settings settings) throws IOException {
    return new ReferenceDriver(socket, new VolumeStore(folder), settings);
  }

  private static <T> T ok(DriverReply<T> reply) {
    assertThat(reply).isInstanceOf(DriverReply.Ok.class);
    return ((DriverReply.Ok<T>) reply).value();
  }

  private static StatusCode code(DriverReply<?> reply) {
    assertThat(reply).isInstanceOf(DriverReply.Refused.class);
    return ((DriverReply.Refused<?>) reply).code();
  }

  private DriverReply<CsiVolume> create(String name) {
    return connection.createVolume(
        new CreateVolume(
            name,
            1 << 20,
            List.of(WRITER),
            Map.of("tier", "fast"),
            DriverSecrets.NONE,
            null,
            new Topology(List.of(Map.of("zone", "a")), List.of(Map.of("zone", "a"))),
            Map.of()));
  }

  @Test
  void volume_lifecycle_allCallsSucceed() throws IOException {
    try (ReferenceDriver driver = driver(ABLE)) {
      CsiVolume volume = ok(create("pvc-1"));
      assertThat(volume.capacityBytes()).isEqualTo(1 << 20);
      assertThat(volume.context()).containsEntry("made-by", "d.example.com");
      assertThat(volume.topology()).containsExactly(Map.of("zone", "a"));
      assertThat(ok(create("pvc-1"))).isEqualTo(volume);
      String id = volume.id();
      assertThat(
              ok(
                  connection.publish(
                      new PublishRequest(
                          id, "n1", WRITER, false, DriverSecrets.NONE, volume.context()))))
          .containsEntry("device", "/dev/" + id);
      assertThat(
              code(
                  connection.publish(
                      new PublishRequest(id, "n2", WRITER, false, DriverSecrets.NONE, Map.of()))))
          .isEqualTo(StatusCode.FAILED_PRECONDITION);
      assertThat(ok(connection.expand(new ExpandRequest(id, 2 << 20, WRITER, DriverSecrets.NONE))))
          .isEqualTo(new Expanded(2 << 20, true));
      assertThat(ok(connection.modify(id, DriverSecrets.NONE, Map.of("iops", "9"))))
          .isEqualTo(new Done());
      assertThat(code(connection.deleteVolume(id, DriverSecrets.NONE)))
          .isEqualTo(StatusCode.FAILED_PRECONDITION);
      ok(connection.unpublish(id, "n1", DriverSecrets.NONE));
      ok(connection.deleteVolume(id, DriverSecrets.NONE));
      ok(connection.deleteVolume(id, DriverSecrets.NONE));
      assertThat(new VolumeStore(folder).listVolumes()).isEmpty();
      assertThat(driver.calls()).hasSize(10);
    }
  }

  @Test
  void snapshot_driverListsAll_returnsRequestedOne() throws IOException {
    VolumeStore store = new VolumeStore(folder);
    store.snapshots().ignoreIds(true);
    List<SnapshotStore.Cut> cuts =
        List.of(
            store.snapshots().add("a", "v", 1, ""),
            store.snapshots().add("b", "v", 2, ""),
            store.snapshots().add("c", "v", 3, ""));
    try (ReferenceDriver driver = new ReferenceDriver(socket, store, ABLE)) {
      for (SnapshotStore.Cut cut : cuts) {
        assertThat(ok(connection.getSnapshot(cut.id(), DriverSecrets.NONE)).orElseThrow().id())
            .isEqualTo(cut.id());
      }
      assertThat(ok(connection.getSnapshot("snap-unknown", DriverSecrets.NONE))).isEmpty();
      assertThat(driver.calls()).hasSize(4);
    }
  }

  /** Some ids have several spellings, for example with other letter case. */
  @Test
  void snapshot_onlyAnswerHasOtherId_isReturned() throws IOException {
    VolumeStore store = new VolumeStore(folder);
    store.snapshots().ignoreIds(true);
    SnapshotStore.Cut cut = store.snapshots().add("a", "v", 1, "");
    try (ReferenceDriver driver = new ReferenceDriver(socket, store, ABLE)) {
      assertThat(ok(connection.getSnapshot(cut.id().toUpperCase(Locale.ROOT), DriverSecrets.NONE)))
          .isPresent();
      assertThat(driver.calls()).hasSize(1);
    }
  }

  @Test
  void identify_runningDriver_returnsNameAndCapabilities() throws IOException {
    try (ReferenceDriver driver = driver(ABLE)) {
      assertThat(ok(connection.probe())).isTrue();
      assertThat(ok(connection.identify()))
          .isEqualTo(
              new DriverIdentity(
                  "d.example.com",
                  "reference",
                  Set.of(
                      DriverCapability.CONTROLLER_SERVICE, DriverCapability.CREATE_DELETE_VOLUME)));
      assertThat(ok(connection.getNodeCapabilities()))
          .containsExactly(DriverCapability.NODE_EXPAND_VOLUME);
      assertThat(driver.calls()).isEmpty();
    }
  }

  @Test
  void nodeCapabilities_failure_leavesOtherCallsUsable() throws IOException {
    Settings failing =
        ABLE.with(m -> m.startsWith("Node") ? new Fault.Refused(Status.Code.INTERNAL) : Fault.NONE);
    try (ReferenceDriver driver = driver(failing)) {
      assertThat(ok(connection.identify()).can(DriverCapability.CREATE_DELETE_VOLUME)).isTrue();
      assertThat(code(connection.getNodeCapabilities())).isEqualTo(StatusCode.INTERNAL);
      assertThat(driver.calls()).isEmpty();
    }
    try (ReferenceDriver driver = driver(unimplementing())) {
      awaitDriver();
      assertThat(ok(connection.getNodeCapabilities())).isEmpty();
      assertThat(driver.calls()).isEmpty();
    }
  }

  private void awaitDriver() {
    TestWait.until("the driver answers", () -> connection.probe() instanceof DriverReply.Ok<?>);
  }

  private static Settings unimplementing() {
    return ABLE.with(
        m -> m.startsWith("Node") ? new Fault.Refused(Status.Code.UNIMPLEMENTED) : Fault.NONE);
  }

  /** The loss is noticed without a call: a driver may restart between two calls. */
  @Test
  void onLoss_driverStops_isCalledOnce() throws IOException {
    AtomicInteger losses = new AtomicInteger();
    connection.onConnectionLost(losses::incrementAndGet);
    for (int round = 0; round < 3; round++) {
      int before = round;
      try (ReferenceDriver driver =
          driver(
              ABLE.with(m ->
                  m.equals("DeleteVolume")
                      ? new Fault.Refused(Status.Code.UNAVAILABLE)
                      : Fault.NONE))) {
        awaitDriver();
        assertThat(code(connection.deleteVolume("vol-x", DriverSecrets.NONE)))
            .isEqualTo(StatusCode.UNAVAILABLE);
        assertThat(losses).hasValue(before);
        assertThat(driver.calls()).hasSize(1);
      }
      TestWait.until("the loss is reported", () -> losses.get() > before);
    }
    assertThat(losses).hasValue(3);
  }

  /** gRPC's own back-off would need more than a minute for these attempts. */
  @Test
  void connect_refusedRepeatedly_isRetriedSoon() throws IOException {
    try (ServerSocketChannel refusing = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      refusing.bind(UnixDomainSocketAddress.of(socket));
      Thread caller = Thread.startVirtualThread(connection::probe);
      for (int i = 0; i < 12; i++) {
        refusing.accept().close();
      }
      caller.interrupt();
    }
  }

  @Test
  void volumes_severalPages_readsAll() throws IOException {
    try (ReferenceDriver driver = driver(ABLE)) {
      for (int i = 0; i < 5; i++) {
        CsiVolume volume = ok(create("pvc-" + i));
        ok(
            connection.publish(
                new PublishRequest(
                    volume.id(), "n" + i, WRITER, false, DriverSecrets.NONE, Map.of())));
      }
      assertThat(ok(connection.listVolumes()).values())
          .extracting(CsiConnection.ListedVolume::nodes)
          .containsExactlyInAnyOrder(
              List.of("n0"), List.of("n1"), List.of("n2"), List.of("n3"), List.of("n4"));
      assertThat(driver.calls()).filteredOn(c -> c.startsWith("ListVolumes")).hasSize(3);
    }
  }

  /** Some drivers do so. A partial list must fail: missing volumes would count as deleted. */
  @Test
  void volumes_repeatedToken_fails() throws IOException {
    Settings repeating =
        ABLE.with(m -> m.equals("ListVolumes tokens") ? new Fault.Partly() : Fault.NONE);
    try (ReferenceDriver driver = driver(repeating)) {
      for (int i = 0; i < 5; i++) {
        ok(create("pvc-" + i));
      }
      assertThat(connection.listVolumes())
          .isInstanceOfSatisfying(
              DriverReply.Refused.class,
              refused -> {
                assertThat(refused.code()).isEqualTo(StatusCode.INTERNAL);
                assertThat(refused.message()).contains("ListVolumes", "\"0\"");
              });
      assertThat(driver.calls()).filteredOn(c -> c.startsWith("ListVolumes")).hasSize(2);
    }
  }

  @Test
  void call_driverStartsLater_succeeds() throws IOException {
    assertThat(create("pvc-1"))
        .isInstanceOfSatisfying(
            DriverReply.Refused.class,
            r -> {
              assertThat(r.code()).isEqualTo(StatusCode.UNAVAILABLE);
              assertThat(r.text()).contains("No such file");
            });
    for (int round = 0; round < 2; round++) {
      try (ReferenceDriver driver = driver(ABLE)) {
        TestWait.until("the volume is created", () -> create("pvc-1") instanceof DriverReply.Ok<?>);
        assertThat(driver.calls()).containsOnly("CreateVolume pvc-1");
      }
      TestWait.until("the driver is gone", () -> !(create("pvc-1") instanceof DriverReply.Ok<?>));
    }
    assertThat(new VolumeStore(folder).listVolumes()).hasSize(1);
  }

  @Test
  void call_slowDriver_endsAtDeadline() throws IOException {
    CsiConnection connectionWithShortTimeout =
        new GrpcConnector().connect("unix://" + socket, Duration.ofMillis(300));
    try (ReferenceDriver driver = driver(ABLE.with(m -> new Fault.Slow(60_000)))) {
      AtomicInteger tries = new AtomicInteger(); // the first may time out before it is connected
      TestWait.until(
          "a call reaches the driver",
          () -> {
            assertThat(
                    code(
                        connectionWithShortTimeout.deleteVolume(
                            "vol-" + tries.incrementAndGet(), DriverSecrets.NONE)))
                .isEqualTo(StatusCode.DEADLINE_EXCEEDED);
            return !driver.calls().isEmpty();
          });
    } finally {
      connectionWithShortTimeout.close();
    }
  }

  @Test
  void call_refused_returnsCodeAndMessage() throws IOException {
    try (ReferenceDriver driver =
        driver(ABLE.with(m -> new Fault.Refused(Status.Code.RESOURCE_EXHAUSTED)))) {
      assertThat(create("pvc-1"))
          .isEqualTo(new DriverReply.Refused<>(StatusCode.RESOURCE_EXHAUSTED, "refused on demand"));
      assertThat(driver.calls()).hasSize(1);
    }
  }

  /** Drivers add the output of commands, and gRPC sends the message in a header. */
  @ParameterizedTest
  @ValueSource(ints = {9_000, 12_000, 40_000, 2_000_000})
  void call_refusedWithLongMessage_returnsCodeAndItsStart(int length) throws IOException {
    AtomicInteger losses = new AtomicInteger();
    connection.onConnectionLost(losses::incrementAndGet);
    String message = "no space: " + "x".repeat(length);
    try (ReferenceDriver driver =
        driver(ABLE.with(m -> new Fault.Refused(Status.Code.ABORTED, message)))) {
      for (int call = 0; call < 2; call++) {
        assertThat(create("pvc-1"))
            .isInstanceOfSatisfying(
                DriverReply.Refused.class,
                r -> {
                  assertThat(r.code()).isEqualTo(StatusCode.ABORTED);
                  assertThat(r.message())
                      .startsWith("no space: xxx")
                      .hasSizeBetween(9_000, 32 << 10);
                });
      }
      assertThat(losses).as("the connection stays").hasValue(0);
      assertThat(driver.calls()).hasSize(2);
    }
  }

  @Test
  void secrets_toString_hidesValues() {
    assertThat(new DriverSecrets(Map.of("password", "hunter2")).toString())
        .isEqualTo("***stripped***");
  }
}
