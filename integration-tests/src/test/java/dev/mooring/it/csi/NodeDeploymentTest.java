package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.VolumeStore;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a driver of local volumes that runs on every node, each with its own Mooring instance. */
class NodeDeploymentTest {
  @TempDir private Path folder;

  /** Number of further capacity requests that the driver rejects. */
  private final AtomicInteger rejectedCapacityCalls = new AtomicInteger();

  private final Settings settings =
      Settings.of(
              CsiCluster.DRIVER,
              DriverCapability.CONTROLLER_SERVICE,
              DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
              DriverCapability.CREATE_DELETE_VOLUME,
              DriverCapability.PUBLISH_UNPUBLISH_VOLUME,
              DriverCapability.EXPAND_VOLUME,
              DriverCapability.CREATE_DELETE_SNAPSHOT,
              DriverCapability.GET_CAPACITY)
          .with(method ->
              method.equals("GetCapacity") && rejectedCapacityCalls.getAndDecrement() > 0
                  ? new Fault.Refused(Status.Code.ABORTED)
                  : Fault.NONE);
  private CsiCluster cluster;
  private final List<ControllerManager> managers = new ArrayList<>();
  private final List<NodeDriver> nodeDrivers = new ArrayList<>();

  private record NodeDriver(Path socket, VolumeStore store, ReferenceDriver driver) {
    long calls(String method) {
      return driver.calls().stream().filter(call -> call.startsWith(method + " ")).count();
    }
  }

  @BeforeEach
  void start() throws Exception {
    cluster = new CsiCluster(folder, 2, true);
    for (int i = 1; i <= 2; i++) {
      VolumeStore store = new VolumeStore(Files.createDirectory(folder.resolve("store-" + i)));
      Path socket = folder.resolve("n" + i + ".sock");
      nodeDrivers.add(new NodeDriver(socket, store, new ReferenceDriver(socket, store, settings)));
    }
    startManager("--controllers=*,-csi-bridge");
  }

  private ControllerManager startManager(String... extraFlags) throws Exception {
    List<String> flags =
        new ArrayList<>(List.of("--endpoints=127.0.0.1:0", "--leader-elect=false"));
    flags.addAll(List.of(extraFlags));
    ControllerManager manager = cluster.createManager(flags);
    managers.add(manager);
    manager.start();
    return manager;
  }

  private void startNodeManagers(String... extraFlags) throws Exception {
    for (int i = 1; i <= nodeDrivers.size(); i++) {
      List<String> flags =
          new ArrayList<>(
              List.of(
                  "--controllers=csi-bridge",
                  "--csi-endpoint="
                      + CsiCluster.DRIVER
                      + "=unix://"
                      + nodeDrivers.get(i - 1).socket()
                      + ",node-deployment=true,node-name=node-"
                      + i
                      + ",node-deployment-base-delay=50ms,node-deployment-max-delay=400ms"));
      flags.addAll(List.of(extraFlags));
      startManager(flags.toArray(String[]::new));
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (ControllerManager manager : managers.reversed()) {
      manager.stop();
    }
    for (NodeDriver node : nodeDrivers) {
      node.driver().close();
    }
    cluster.close();
  }

  private NodeDriver findDriver(String name) {
    return nodeDrivers.get(Integer.parseInt(name.substring("node-".length())) - 1);
  }

  @Test
  void volume_nodeSelected_isProvisionedByThatNode() throws Exception {
    startNodeManagers();
    cluster.createClaim("a", "later");
    cluster.createPod("a", "a");
    cluster.await("pod runs", () -> cluster.countInPhase(KindCatalogue.PODS, "Running") == 1);
    String name = JsonBodies.textAt(cluster.anyObject(KindCatalogue.PODS), "spec", "nodeName");
    NodeDriver selectedDriver = findDriver(name);
    NodeDriver otherDriver = nodeDrivers.get(selectedDriver == nodeDrivers.get(0) ? 1 : 0);
    assertThat(selectedDriver.store().listVolumes()).hasSize(1);
    assertThat(
            JsonBodies.textAt(
                cluster.anyObject(KindCatalogue.VOLUMES),
                "spec",
                "csi",
                "volumeAttributes",
                "storage.kubernetes.io/csiProvisionerIdentity"))
        .endsWith(CsiCluster.DRIVER + "-" + name);
    cluster.expandClaim("a", "2Gi");
    cluster.await("claim is expanded", () -> cluster.countClaims("2Gi") == 1);
    cluster.delete(KindCatalogue.PODS, "a");
    cluster.await("volume is detached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
    cluster.delete(KindCatalogue.CLAIMS, "a");
    cluster.await("all objects are deleted", () -> cluster.isEmpty(KindCatalogue.VOLUMES));
    assertThat(selectedDriver.store().listVolumes()).isEmpty();
    assertThat(selectedDriver.calls("DeleteVolume")).isEqualTo(1);
    assertThat(otherDriver.driver().calls()).filteredOn(call -> !call.startsWith("List")).isEmpty();
  }

  @Test
  void immediateBinding_twoNodes_provisionEachVolumeOnce() throws Exception {
    startNodeManagers();
    int claimCount = 8;
    for (int i = 0; i < claimCount; i++) {
      cluster.createClaim("c-" + i, "now");
    }
    cluster.await(
        "all claims are bound",
        () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == claimCount);
    assertThat(
            nodeDrivers.get(0).store().listVolumes().size()
                + nodeDrivers.get(1).store().listVolumes().size())
        .isEqualTo(claimCount);
    for (StoredObject claim : cluster.handlers().store(KindCatalogue.CLAIMS).list("").objects()) {
      String node =
          JsonBodies.textAt(
              claim.tree(), "metadata", "annotations", "volume.kubernetes.io/selected-node");
      String volume = JsonBodies.textAt(claim.tree(), "spec", "volumeName");
      JsonObject object = cluster.find(KindCatalogue.VOLUMES, volume).orElseThrow();
      assertThat(findDriver(node).store().listVolumes())
          .anyMatch(
              item -> item.id().equals(JsonBodies.textAt(object, "spec", "csi", "volumeHandle")));
      assertThat(object.getAsJsonObject("spec").get("nodeAffinity").toString())
          .contains("\"z" + node.substring("node-".length()) + "\"");
      cluster.await(
          "claim has no finalizer",
          () ->
              !cluster
                  .find(KindCatalogue.CLAIMS, JsonBodies.textAt(claim.tree(), "metadata", "name"))
                  .orElseThrow()
                  .toString()
                  .contains("mooring.dev/volume-being-made"));
    }
    for (int i = 0; i < claimCount; i++) {
      cluster.delete(KindCatalogue.CLAIMS, "c-" + i);
    }
    cluster.await("all objects are deleted", () -> cluster.isEmpty(KindCatalogue.VOLUMES));
    assertThat(nodeDrivers).allMatch(nodeDriver -> nodeDriver.store().listVolumes().isEmpty());
  }

  /**
   * The driver of the full node creates no volume. Each node publishes a capacity object, even if
   * its first requests fail.
   */
  @Test
  void volumes_oneNodeFull_areProvisionedByOtherNode() throws Exception {
    rejectedCapacityCalls.set(4);
    nodeDrivers.get(0).store().add("the total capacity", VolumeStore.ROOM, "", "");
    startNodeManagers("--enable-capacity", "--capacity-namespace=default");
    for (int i = 0; i < 4; i++) {
      cluster.createClaim("c-" + i, "now");
    }
    cluster.await(
        "all claims are bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 4);
    assertThat(nodeDrivers.get(1).store().listVolumes()).hasSize(4);
    assertThat(nodeDrivers.get(0).calls("CreateVolume")).isZero();
    for (int i = 1; i <= 2; i++) {
      String zone = "z" + i;
      String manager = "external-provisioner-node-" + i;
      cluster.await(
          "node " + i + " publishes its capacity",
          () ->
              cluster.handlers().store(KindCatalogue.CAPACITIES).list("").objects().stream()
                      .map(capacityObject -> capacityObject.tree().toString())
                      .filter(capacityObject ->
                          capacityObject.contains('"' + manager + '"')
                              && capacityObject.contains('"' + zone + '"'))
                      .count()
                  == 1);
    }
    assertThat(cluster.countObjects(KindCatalogue.CAPACITIES, "0", "capacity")).isEqualTo(1);
  }

  /** A node that cannot provision must not win the election for a volume. */
  @Test
  void volumes_oneDriverDown_areProvisionedByOtherNode() throws Exception {
    nodeDrivers.get(0).driver().close();
    startNodeManagers();
    for (int i = 0; i < 6; i++) {
      cluster.createClaim("c-" + i, "now");
    }
    cluster.await(
        "all claims are bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 6);
    assertThat(nodeDrivers.get(1).store().listVolumes()).hasSize(6);
  }

  private ResourceType findSnapshotType(String plural) {
    return SnapshotResources.findType(cluster.handlers(), plural).orElseThrow();
  }

  @Test
  void snapshot_distributed_isCreatedAndDeletedByNodeOfVolume() throws Exception {
    SnapshotResources.install(cluster.handlers());
    startManager("--controllers=snapshot-controller", "--enable-distributed-snapshotting");
    startNodeManagers("--enable-snapshots");
    cluster.create(
        findSnapshotType("volumesnapshotclasses"),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass", "metadata": {"name": "goes"}, "driver": "%s", "deletionPolicy": "Delete"}
        """
            .formatted(CsiCluster.DRIVER));
    cluster.createClaim("a", "later");
    cluster.createPod("a", "a");
    cluster.await("pod runs", () -> cluster.countInPhase(KindCatalogue.PODS, "Running") == 1);
    String node = JsonBodies.textAt(cluster.anyObject(KindCatalogue.PODS), "spec", "nodeName");
    cluster.create(
        findSnapshotType("volumesnapshots"),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot", "metadata": {"name": "s"}, "spec": {"source": {"persistentVolumeClaimName": "a"}, "volumeSnapshotClassName": "goes"}}
        """);
    cluster.await(
        "snapshot is ready",
        () ->
            cluster
                .find(findSnapshotType("volumesnapshots"), "s")
                .filter(snapshot -> snapshot.toString().contains("\"readyToUse\":true"))
                .isPresent());
    ResourceType contents = findSnapshotType("volumesnapshotcontents");
    assertThat(
            JsonBodies.textAt(
                cluster.anyObject(contents),
                "metadata",
                "labels",
                "snapshot.storage.kubernetes.io/managed-by"))
        .isEqualTo(node);
    cluster.delete(findSnapshotType("volumesnapshots"), "s");
    cluster.await("content is deleted", () -> cluster.isEmpty(contents));
    for (NodeDriver driver : nodeDrivers) {
      int expected = driver == findDriver(node) ? 1 : 0;
      assertThat(driver.calls("CreateSnapshot")).isEqualTo(expected);
      assertThat(driver.calls("DeleteSnapshot")).isEqualTo(expected);
    }
  }

  @Test
  void nodeDeployment_clusterWideFlags_areRejected() {
    String driver = "--csi-endpoint=d=unix:///s,node-deployment=true,node-name=n";
    assertThatThrownBy(
            () -> startManager("--leader-elect=true", "--controllers=csi-bridge", driver))
        .hasMessageContaining("--leader-elect=false");
    assertThatThrownBy(() -> startManager(driver)).hasMessageContaining("--controllers=csi-bridge");
    assertThatThrownBy(
            () -> startManager("--controllers=csi-bridge", "--enable-node-watcher", driver))
        .hasMessageContaining("--enable-node-watcher");
    assertThatThrownBy(() ->
            startManager(
                "--controllers=csi-bridge",
                "--enable-snapshots",
                "--feature-gates=CSIVolumeGroupSnapshot=true",
                driver))
        .hasMessageContaining("CSIVolumeGroupSnapshot");
    assertThatThrownBy(() ->
            startManager(
                "--controllers=csi-bridge", "--csi-endpoint=d=unix:///s,node-deployment=true"))
        .hasMessageContaining("NODE_NAME");
  }
}
