package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a driver of local volumes that runs on every node, each with its own Mooring instance. */
@Timeout(300)
class NodeDeploymentTest {
  @TempDir private Path folder;

  /** Number of further capacity requests that the driver rejects. */
  private final AtomicInteger busy = new AtomicInteger();

  private final Settings local =
      Settings.of(
              CsiCluster.DRIVER,
              DriverCapability.CONTROLLER_SERVICE,
              DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
              DriverCapability.CREATE_DELETE_VOLUME,
              DriverCapability.PUBLISH_UNPUBLISH_VOLUME,
              DriverCapability.EXPAND_VOLUME,
              DriverCapability.GET_CAPACITY)
          .with(m ->
              m.equals("GetCapacity") && busy.getAndDecrement() > 0
                  ? new Fault.Refused(Status.Code.ABORTED)
                  : Fault.NONE);
  private CsiCluster cluster;
  private final List<ControllerManager> managers = new ArrayList<>();
  private final List<NodeDriver> nodes = new ArrayList<>();

  private record NodeDriver(Path socket, VolumeStore store, ReferenceDriver driver) {
    long calls(String method) {
      return driver.calls().stream().filter(c -> c.startsWith(method + " ")).count();
    }
  }

  @BeforeEach
  void start() throws Exception {
    cluster = new CsiCluster(folder, 2, true);
    for (int i = 1; i <= 2; i++) {
      VolumeStore store = new VolumeStore(Files.createDirectory(folder.resolve("store-" + i)));
      Path socket = folder.resolve("n" + i + ".sock");
      nodes.add(new NodeDriver(socket, store, new ReferenceDriver(socket, store, local)));
    }
    manager("--controllers=*,-csi-bridge");
  }

  private ControllerManager manager(String... more) throws Exception {
    List<String> flags =
        new ArrayList<>(List.of("--endpoints=127.0.0.1:0", "--leader-elect=false"));
    flags.addAll(List.of(more));
    ControllerManager manager = cluster.manager(flags);
    managers.add(manager);
    manager.start();
    return manager;
  }

  private void managersOfNodes(String... more) throws Exception {
    for (int i = 1; i <= nodes.size(); i++) {
      List<String> flags =
          new ArrayList<>(
              List.of(
                  "--controllers=csi-bridge",
                  "--csi-endpoint="
                      + CsiCluster.DRIVER
                      + "=unix://"
                      + nodes.get(i - 1).socket()
                      + ",node-deployment=true,node-name=node-"
                      + i
                      + ",node-deployment-base-delay=50ms,node-deployment-max-delay=400ms"));
      flags.addAll(List.of(more));
      manager(flags.toArray(String[]::new));
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (ControllerManager manager : managers.reversed()) {
      manager.stop();
    }
    for (NodeDriver node : nodes) {
      node.driver().close();
    }
    cluster.close();
  }

  private NodeDriver node(String name) {
    return nodes.get(Integer.parseInt(name.substring("node-".length())) - 1);
  }

  @Test
  void selectedNode_onlyThatNode_provisions() throws Exception {
    managersOfNodes();
    cluster.claim("a", "later");
    cluster.pod("a", "a");
    cluster.until("pod runs", () -> cluster.inPhase(KindCatalogue.PODS, "Running") == 1);
    String name = JsonBodies.textAt(cluster.one(KindCatalogue.PODS), "spec", "nodeName");
    NodeDriver here = node(name);
    NodeDriver elsewhere = nodes.get(here == nodes.get(0) ? 1 : 0);
    assertThat(here.store().listVolumes()).hasSize(1);
    assertThat(
            JsonBodies.textAt(
                cluster.one(KindCatalogue.VOLUMES),
                "spec",
                "csi",
                "volumeAttributes",
                "storage.kubernetes.io/csiProvisionerIdentity"))
        .endsWith(CsiCluster.DRIVER + "-" + name);
    cluster.grow("a", "2Gi");
    cluster.until("claim is expanded", () -> cluster.countOfSize("2Gi") == 1);
    cluster.delete(KindCatalogue.PODS, "a");
    cluster.until("volume is detached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
    cluster.delete(KindCatalogue.CLAIMS, "a");
    cluster.until("all objects are deleted", () -> cluster.isEmpty(KindCatalogue.VOLUMES));
    assertThat(here.store().listVolumes()).isEmpty();
    assertThat(here.calls("DeleteVolume")).isEqualTo(1);
    assertThat(elsewhere.driver().calls()).filteredOn(c -> !c.startsWith("List")).isEmpty();
  }

  @Test
  void immediateBinding_manyNodes_oneProvisions() throws Exception {
    managersOfNodes();
    int claims = 8;
    for (int i = 0; i < claims; i++) {
      cluster.claim("c-" + i, "now");
    }
    cluster.until(
        "all claims are bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == claims);
    assertThat(
            nodes.get(0).store().listVolumes().size() + nodes.get(1).store().listVolumes().size())
        .isEqualTo(claims);
    for (StoredObject claim : cluster.handlers().store(KindCatalogue.CLAIMS).list("").objects()) {
      String node =
          JsonBodies.textAt(
              claim.tree(), "metadata", "annotations", "volume.kubernetes.io/selected-node");
      String volume = JsonBodies.textAt(claim.tree(), "spec", "volumeName");
      JsonObject object = cluster.get(KindCatalogue.VOLUMES, volume).orElseThrow();
      assertThat(node(node).store().listVolumes())
          .anyMatch(i -> i.id().equals(JsonBodies.textAt(object, "spec", "csi", "volumeHandle")));
      assertThat(object.getAsJsonObject("spec").get("nodeAffinity").toString())
          .contains("\"z" + node.substring("node-".length()) + "\"");
      cluster.until(
          "no finalizer is left",
          () ->
              !cluster
                  .get(KindCatalogue.CLAIMS, JsonBodies.textAt(claim.tree(), "metadata", "name"))
                  .orElseThrow()
                  .toString()
                  .contains("mooring.dev/volume-being-made"));
    }
    for (int i = 0; i < claims; i++) {
      cluster.delete(KindCatalogue.CLAIMS, "c-" + i);
    }
    cluster.until("all objects are deleted", () -> cluster.isEmpty(KindCatalogue.VOLUMES));
    assertThat(nodes).allMatch(n -> n.store().listVolumes().isEmpty());
  }

  /**
   * The full node's driver does not run a claim; each node publishes its own capacity object, even
   * if its first request fails.
   */
  @Test
  void fullNode_leavesVolumesToOthers() throws Exception {
    busy.set(4);
    nodes.get(0).store().add("the total capacity", VolumeStore.ROOM, "", "");
    managersOfNodes("--enable-capacity", "--capacity-namespace=default");
    for (int i = 0; i < 4; i++) {
      cluster.claim("c-" + i, "now");
    }
    cluster.until(
        "all claims are bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 4);
    assertThat(nodes.get(1).store().listVolumes()).hasSize(4);
    assertThat(nodes.get(0).calls("CreateVolume")).isZero();
    for (int i = 1; i <= 2; i++) {
      String zone = "z" + i;
      String manager = "external-provisioner-node-" + i;
      cluster.until(
          "node " + i + " publishes its capacity",
          () ->
              cluster.handlers().store(KindCatalogue.CAPACITIES).list("").objects().stream()
                      .map(o -> o.tree().toString())
                      .filter(o -> o.contains('"' + manager + '"') && o.contains('"' + zone + '"'))
                      .count()
                  == 1);
    }
    assertThat(cluster.countWith(KindCatalogue.CAPACITIES, "0", "capacity")).isEqualTo(1);
  }

  /** A node that cannot provision must not win the election for a volume. */
  @Test
  void driverDown_nodeLeavesVolumesToOthers() throws Exception {
    nodes.get(0).driver().close();
    managersOfNodes();
    for (int i = 0; i < 6; i++) {
      cluster.claim("c-" + i, "now");
    }
    cluster.until(
        "all claims are bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 6);
    assertThat(nodes.get(1).store().listVolumes()).hasSize(6);
  }

  @Test
  void nodeDeployment_clusterWideFlags_areRejected() {
    String driver = "--csi-endpoint=d=unix:///s,node-deployment=true,node-name=n";
    assertThatThrownBy(() -> manager("--leader-elect=true", "--controllers=csi-bridge", driver))
        .hasMessageContaining("--leader-elect=false");
    assertThatThrownBy(() -> manager(driver)).hasMessageContaining("--controllers=csi-bridge");
    assertThatThrownBy(() -> manager("--controllers=csi-bridge", "--enable-node-watcher", driver))
        .hasMessageContaining("--enable-node-watcher");
    assertThatThrownBy(() -> manager("--controllers=csi-bridge", "--enable-snapshots", driver))
        .hasMessageContaining("--enable-snapshots");
    assertThatThrownBy(() ->
            manager("--controllers=csi-bridge", "--csi-endpoint=d=unix:///s,node-deployment=true"))
        .hasMessageContaining("NODE_NAME");
  }
}
