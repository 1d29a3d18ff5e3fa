package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.plugin.csi.GrpcConnector;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests volume lifecycles with the third-party driver {@code -Dmooring.csi.driver=COMMAND}. In the
 * command, {@code {socket}} is replaced by the socket and {@code {folder}} by a private folder. The
 * driver's node id is {@code -Dmooring.csi.node=ID} (node-1) and the node's topology {@code
 * -Dmooring.csi.topology=KEY=VALUE,...}. Unsupported capabilities are skipped. The driver must run
 * without a kubelet, because the tests stage and mount nothing.
 */
class RealDriverTest {
  private static final String COMMAND = System.getProperty("mooring.csi.driver", "");
  private static final String NODE_ID = System.getProperty("mooring.csi.node", "node-1");

  @TempDir private Path folder;
  private Path socket;
  private CsiCluster cluster;
  private DriverIdentity identity;
  private CsiConnection connection;
  private Process driver;
  private ControllerManager manager;

  @BeforeEach
  void start() throws Exception {
    Assumptions.assumeTrue(
        !COMMAND.isEmpty(),
        "skipped: no CSI driver was named by -Dmooring.csi.driver=COMMAND with {socket} and {folder} in it");
    socket = folder.resolve("csi.sock");
    Files.createDirectory(folder.resolve("driver"));
    startDriver();
    connection = new GrpcConnector().connect("unix://" + socket, Duration.ofSeconds(15));
    awaitDriver();
    identity = requireOk(connection.identify());
    cluster =
        new CsiCluster(
            folder,
            1,
            new CsiCluster.RegisteredDriver(
                identity.name(), number -> NODE_ID, number -> parseTopology()));
    SnapshotResources.install(cluster.handlers());
    startManager();
  }

  private static Map<String, String> parseTopology() {
    Map<String, String> topology = new TreeMap<>();
    for (String segment : System.getProperty("mooring.csi.topology", "").split(",")) {
      int equalsSign = segment.indexOf('=');
      if (equalsSign > 0) {
        topology.put(segment.substring(0, equalsSign), segment.substring(equalsSign + 1));
      }
    }
    return topology;
  }

  private void startDriver() throws IOException {
    List<String> command = new ArrayList<>();
    for (String argument : COMMAND.split(" +")) {
      command.add(
          argument
              .replace("{socket}", socket.toString())
              .replace("{folder}", folder.resolve("driver").toString()));
    }
    driver =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("driver.log").toFile()))
            .start();
  }

  private String readDriverLog() throws IOException {
    return Files.readString(folder.resolve("driver.log"));
  }

  private void startManager() throws Exception {
    manager =
        cluster.createManager(
            List.of(
                "--endpoints=off",
                "--leader-elect=false",
                "--controllers=*,snapshot-controller",
                "--enable-snapshots",
                cluster.endpointFlag(),
                "--csi-retry-interval-start=20ms",
                "--csi-retry-interval-max=300ms",
                "--csi-reconcile-sync=200ms",
                "--enable-capacity",
                "--capacity-namespace=default",
                "--capacity-poll-interval=1h"));
    manager.start();
  }

  @AfterEach
  void stop() throws Exception {
    if (manager != null) {
      manager.stop();
    }
    if (connection != null) {
      connection.close();
    }
    if (driver != null) {
      driver.destroyForcibly().waitFor();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static <T> T requireOk(DriverReply<T> reply) {
    assertThat(reply).isInstanceOf(DriverReply.Ok.class);
    return ((DriverReply.Ok<T>) reply).value();
  }

  private void assumeCapability(DriverCapability capability) {
    Assumptions.assumeTrue(
        identity.can(capability), "skipped: " + identity.name() + " has no " + capability);
  }

  private Map<String, ListedVolume> listVolumes() {
    return requireOk(connection.listVolumes());
  }

  private void awaitNoVolumes() {
    cluster.await(
        "all objects are deleted",
        () -> cluster.isEmpty(KindCatalogue.CLAIMS) && cluster.isEmpty(KindCatalogue.VOLUMES));
    if (identity.can(DriverCapability.LIST_VOLUMES)) {
      assertThat(listVolumes()).isEmpty();
    }
  }

  private void awaitBound(int claimCount) {
    cluster.await(
        claimCount + " claims are bound",
        () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == claimCount);
  }

  @Test
  void claims_createdAndDeleted_leaveNoVolumes() throws Exception {
    for (int i = 0; i < 5; i++) {
      cluster.createClaim("c-" + i, "now");
    }
    awaitBound(5);
    for (int i = 0; i < 5; i++) {
      cluster.delete(KindCatalogue.CLAIMS, "c-" + i);
    }
    awaitNoVolumes();
  }

  @Test
  void podVolume_wholeLifecycle_succeeds() throws Exception {
    cluster.createClaim("a", "later");
    cluster.createPod("a", "a");
    cluster.await("pod runs", () -> cluster.countInPhase(KindCatalogue.PODS, "Running") == 1);
    JsonObject attachment = cluster.anyObject(KindCatalogue.ATTACHMENTS);
    assertThat(JsonBodies.valueAt(attachment, "status", "attached").getAsBoolean()).isTrue();
    cluster.delete(KindCatalogue.PODS, "a");
    cluster.await("volume is detached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
    cluster.delete(KindCatalogue.CLAIMS, "a");
    awaitNoVolumes();
  }

  @Test
  void claim_grown_expandsVolume() throws Exception {
    assumeCapability(DriverCapability.EXPAND_VOLUME);
    cluster.createClaim("a", "now");
    awaitBound(1);
    cluster.expandClaim("a", "2Gi");
    cluster.await(
        "volume is expanded",
        () ->
            cluster.countObjects(KindCatalogue.VOLUMES, "2Gi", "spec", "capacity", "storage") == 1);
    cluster.delete(KindCatalogue.CLAIMS, "a");
    awaitNoVolumes();
  }

  @Test
  void claim_withSourceClaim_isBound() throws Exception {
    assumeCapability(DriverCapability.CLONE_VOLUME);
    cluster.createClaim("source", "now");
    awaitBound(1);
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "copy"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"kind": "PersistentVolumeClaim", "name": "source"}}}
        """);
    awaitBound(2);
    cluster.delete(KindCatalogue.CLAIMS, "source");
    cluster.delete(KindCatalogue.CLAIMS, "copy");
    awaitNoVolumes();
  }

  /**
   * The snapshot is taken while the claim is in use. It is then restored and deleted, also in the
   * driver.
   */
  @Test
  void snapshot_wholeLifecycle_succeeds() throws Exception {
    assumeCapability(DriverCapability.CREATE_DELETE_SNAPSHOT);
    ResourceType snapshots = snapshotType("volumesnapshots");
    cluster.create(
        snapshotType("volumesnapshotclasses"),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass", "metadata": {"name": "goes"}, "driver": "%s", "deletionPolicy": "Delete"}
        """
            .formatted(identity.name()));
    cluster.createClaim("source", "now");
    awaitBound(1);
    cluster.create(
        snapshots,
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "s"}, "spec": {"volumeSnapshotClassName": "goes", "source": {"persistentVolumeClaimName": "source"}}}
        """);
    cluster.await(
        "snapshot is ready",
        () -> cluster.countObjects(snapshots, "true", "status", "readyToUse") == 1);
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "restored"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "s"}}}
        """);
    awaitBound(2);
    cluster.delete(snapshots, "s");
    cluster.await(
        "snapshot is deleted",
        () ->
            cluster.isEmpty(snapshots) && cluster.isEmpty(snapshotType("volumesnapshotcontents")));
    cluster.delete(KindCatalogue.CLAIMS, "source");
    cluster.delete(KindCatalogue.CLAIMS, "restored");
    awaitNoVolumes();
  }

  private ResourceType snapshotType(String plural) {
    return SnapshotResources.findType(cluster.handlers(), plural).orElseThrow();
  }

  @Test
  void attributesClass_changed_modifiesVolume() throws Exception {
    assumeCapability(DriverCapability.MODIFY_VOLUME);
    cluster.createAttributesClass("gold", "9000");
    cluster.createClaim("a", "now");
    awaitBound(1);
    cluster.setAttributesClass("a", "gold");
    cluster.await(
        "claim has the class gold",
        () ->
            cluster.countObjects(
                    KindCatalogue.CLAIMS, "gold", "status", "currentVolumeAttributesClassName")
                == 1);
    cluster.delete(KindCatalogue.CLAIMS, "a");
    awaitNoVolumes();
  }

  @Test
  void capacity_waitForFirstConsumerClass_isPublished() {
    assumeCapability(DriverCapability.GET_CAPACITY);
    cluster.await(
        "WaitForFirstConsumer class has a capacity object",
        () -> cluster.countObjects(KindCatalogue.CAPACITIES, "later", "storageClassName") == 1);
  }

  /** The driver is killed repeatedly while claims are created and deleted. */
  @Test
  void driver_killedRepeatedly_losesNoVolume() throws Exception {
    int claimCount = 12;
    for (int i = 0; i < claimCount; i++) {
      cluster.createClaim("c-" + i, "now");
      if (i % 4 == 3) {
        restartDriver();
      }
    }
    awaitBound(claimCount);
    if (identity.can(DriverCapability.LIST_VOLUMES)) {
      assertThat(listVolumes()).hasSize(claimCount);
    }
    for (int i = 0; i < claimCount; i++) {
      cluster.delete(KindCatalogue.CLAIMS, "c-" + i);
      if (i % 4 == 3) {
        restartDriver();
      }
    }
    awaitNoVolumes();
  }

  private void awaitDriver() {
    TestWait.until(
        "driver responds",
        () -> {
          assertThat(driver.isAlive()).as("driver runs; its output:\n" + readDriverLog()).isTrue();
          return connection.probe() instanceof DriverReply.Ok<?>;
        });
  }

  private void restartDriver() throws Exception {
    driver.destroyForcibly().waitFor();
    Files.deleteIfExists(socket);
    startDriver();
    awaitDriver();
  }
}
