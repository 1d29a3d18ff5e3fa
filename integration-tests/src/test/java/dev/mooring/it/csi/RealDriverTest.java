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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the same lifecycle with a third-party driver: {@code -Dmooring.csi.driver=COMMAND}, in which
 * {@code {socket}} stands for its socket and {@code {folder}} for a private folder. The driver's
 * node id is {@code -Dmooring.csi.node=ID} (node-1) and the node's topology {@code
 * -Dmooring.csi.topology=KEY=VALUE,...}. Unsupported capabilities are skipped. The driver must run
 * without a kubelet: nothing is staged or mounted.
 */
@Timeout(300)
class RealDriverTest {
  private static final String COMMAND = System.getProperty("mooring.csi.driver", "");
  private static final String NODE = System.getProperty("mooring.csi.node", "node-1");

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
    identity = ok(connection.identify());
    cluster =
        new CsiCluster(
            folder,
            1,
            new CsiCluster.RegisteredDriver(identity.name(), number -> NODE, number -> topology()));
    SnapshotResources.install(cluster.handlers());
    startManager();
  }

  private static Map<String, String> topology() {
    Map<String, String> topology = new TreeMap<>();
    for (String segment : System.getProperty("mooring.csi.topology", "").split(",")) {
      int equals = segment.indexOf('=');
      if (equals > 0) {
        topology.put(segment.substring(0, equals), segment.substring(equals + 1));
      }
    }
    return topology;
  }

  private void startDriver() throws IOException {
    List<String> command = new ArrayList<>();
    for (String word : COMMAND.split(" +")) {
      command.add(
          word.replace("{socket}", socket.toString())
              .replace("{folder}", folder.resolve("driver").toString()));
    }
    driver =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("driver.log").toFile()))
            .start();
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("driver.log"));
  }

  private void startManager() throws Exception {
    manager =
        cluster.manager(
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

  private static <T> T ok(DriverReply<T> reply) {
    assertThat(reply).isInstanceOf(DriverReply.Ok.class);
    return ((DriverReply.Ok<T>) reply).value();
  }

  private void needs(DriverCapability ability) {
    Assumptions.assumeTrue(
        identity.can(ability), "skipped: " + identity.name() + " has no " + ability);
  }

  private Map<String, ListedVolume> volumes() {
    return ok(connection.listVolumes());
  }

  private void nothingIsLeft() {
    cluster.until(
        "all objects are deleted",
        () -> cluster.isEmpty(KindCatalogue.CLAIMS) && cluster.isEmpty(KindCatalogue.VOLUMES));
    if (identity.can(DriverCapability.LIST_VOLUMES)) {
      assertThat(volumes()).isEmpty();
    }
  }

  private void bound(int count) {
    cluster.until(
        count + " are bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == count);
  }

  @Test
  void volumes_areProvisionedAndDeleted() throws Exception {
    for (int i = 0; i < 5; i++) {
      cluster.claim("c-" + i, "now");
    }
    bound(5);
    for (int i = 0; i < 5; i++) {
      cluster.delete(KindCatalogue.CLAIMS, "c-" + i);
    }
    nothingIsLeft();
  }

  @Test
  void podVolume_isProvisionedAttachedAndDetached() throws Exception {
    cluster.claim("a", "later");
    cluster.pod("a", "a");
    cluster.until("pod runs", () -> cluster.inPhase(KindCatalogue.PODS, "Running") == 1);
    JsonObject attachment = cluster.one(KindCatalogue.ATTACHMENTS);
    assertThat(JsonBodies.valueAt(attachment, "status", "attached").getAsBoolean()).isTrue();
    cluster.delete(KindCatalogue.PODS, "a");
    cluster.until("volume is detached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
    cluster.delete(KindCatalogue.CLAIMS, "a");
    nothingIsLeft();
  }

  @Test
  void volume_isExpanded() throws Exception {
    needs(DriverCapability.EXPAND_VOLUME);
    cluster.claim("a", "now");
    bound(1);
    cluster.grow("a", "2Gi");
    cluster.until(
        "volume is expanded",
        () -> cluster.countWith(KindCatalogue.VOLUMES, "2Gi", "spec", "capacity", "storage") == 1);
    cluster.delete(KindCatalogue.CLAIMS, "a");
    nothingIsLeft();
  }

  @Test
  void claim_isCloned() throws Exception {
    needs(DriverCapability.CLONE_VOLUME);
    cluster.claim("source", "now");
    bound(1);
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "copy"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"kind": "PersistentVolumeClaim", "name": "source"}}}
        """);
    bound(2);
    cluster.delete(KindCatalogue.CLAIMS, "source");
    cluster.delete(KindCatalogue.CLAIMS, "copy");
    nothingIsLeft();
  }

  /**
   * The snapshot is taken while the claim is in use, restored, and deleted; the driver keeps
   * nothing of it.
   */
  @Test
  void snapshot_isTakenRestoredAndDeleted() throws Exception {
    needs(DriverCapability.CREATE_DELETE_SNAPSHOT);
    ResourceType snapshots = snapshotType("volumesnapshots");
    cluster.create(
        snapshotType("volumesnapshotclasses"),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass", "metadata": {"name": "goes"}, "driver": "%s", "deletionPolicy": "Delete"}
        """
            .formatted(identity.name()));
    cluster.claim("source", "now");
    bound(1);
    cluster.create(
        snapshots,
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "s"}, "spec": {"volumeSnapshotClassName": "goes", "source": {"persistentVolumeClaimName": "source"}}}
        """);
    cluster.until(
        "snapshot is ready",
        () -> cluster.countWith(snapshots, "true", "status", "readyToUse") == 1);
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "restored"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "s"}}}
        """);
    bound(2);
    cluster.delete(snapshots, "s");
    cluster.until(
        "snapshot is deleted",
        () ->
            cluster.isEmpty(snapshots) && cluster.isEmpty(snapshotType("volumesnapshotcontents")));
    cluster.delete(KindCatalogue.CLAIMS, "source");
    cluster.delete(KindCatalogue.CLAIMS, "restored");
    nothingIsLeft();
  }

  private ResourceType snapshotType(String plural) {
    return SnapshotResources.findType(cluster.handlers(), plural).orElseThrow();
  }

  @Test
  void volume_isModified() throws Exception {
    needs(DriverCapability.MODIFY_VOLUME);
    cluster.attributesClass("gold", "9000");
    cluster.claim("a", "now");
    bound(1);
    cluster.modify("a", "gold");
    cluster.until(
        "claim has the class gold",
        () ->
            cluster.countWith(
                    KindCatalogue.CLAIMS, "gold", "status", "currentVolumeAttributesClassName")
                == 1);
    cluster.delete(KindCatalogue.CLAIMS, "a");
    nothingIsLeft();
  }

  @Test
  void capacity_isPublished() {
    needs(DriverCapability.GET_CAPACITY);
    cluster.until(
        "WaitForFirstConsumer class has a capacity object",
        () -> cluster.countWith(KindCatalogue.CAPACITIES, "later", "storageClassName") == 1);
  }

  /** The driver is killed repeatedly while claims are created and deleted. */
  @Test
  void driver_killed_losesNoVolume() throws Exception {
    int claims = 12;
    for (int i = 0; i < claims; i++) {
      cluster.claim("c-" + i, "now");
      if (i % 4 == 3) {
        restartDriver();
      }
    }
    bound(claims);
    if (identity.can(DriverCapability.LIST_VOLUMES)) {
      assertThat(volumes()).hasSize(claims);
    }
    for (int i = 0; i < claims; i++) {
      cluster.delete(KindCatalogue.CLAIMS, "c-" + i);
      if (i % 4 == 3) {
        restartDriver();
      }
    }
    nothingIsLeft();
  }

  private void awaitDriver() {
    TestWait.until(
        "driver responds",
        () -> {
          assertThat(driver.isAlive()).as("the driver runs; it said:\n" + output()).isTrue();
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
