package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.it.CommandResult;
import dev.mooring.it.Resources;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Source: KEP-5943. */
class SnapshotTopologyTest extends SnapshotFixture {
  private static final String GATE = "--feature-gates=VolumeSnapshotTopology=true";
  private static final Settings DRIVER =
      Settings.of(
          CsiCluster.DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
          DriverCapability.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.CREATE_DELETE_SNAPSHOT);

  SnapshotTopologyTest() {
    super(3, true);
  }

  @BeforeEach
  void installKinds() throws Exception {
    SnapshotResources.install(cluster.handlers());
  }

  /** Takes a snapshot with a class that allows one zone. */
  private void takeSnapshot(String zone) throws Exception {
    cluster.create(
        findType("volumesnapshotclasses"),
        """
        {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass", "metadata": {"name": "zonal"}, "driver": "%s", "deletionPolicy": "Delete", "allowedTopologies": [{"matchLabelExpressions": [{"key": "zone", "values": ["%s"]}]}]}
        """
            .formatted(CsiCluster.DRIVER, zone));
    createBoundClaim("source", "a");
    createSnapshot("s", "source", "zonal");
    cluster.await("snapshot is ready", () -> isReady(snapshotType(), "s"));
  }

  private JsonObject readContent() {
    return listObjects(contentType()).getFirst();
  }

  private String findVolume(String claim) {
    String name = textOf(KindCatalogue.CLAIMS, claim, "spec", "volumeName");
    return cluster.find(KindCatalogue.VOLUMES, name).orElseThrow().toString();
  }

  @Test
  void snapshot_classRestrictsTopology_isRestoredThere() throws Exception {
    try (ReferenceDriver driver = cluster.startDriver(DRIVER)) {
      startManager(GATE);
      takeSnapshot("z2");
      assertThat(readContent().getAsJsonObject("spec").get("nodeAffinity").toString())
          .isEqualTo("[{\"matchLabelExpressions\":[{\"key\":\"zone\",\"values\":[\"z2\"]}]}]");
      for (String claim : new String[] {"copy-0", "copy-1", "copy-2"}) { // each starts elsewhere
        restoreSnapshot(claim, "s");
        cluster.await("copy is bound", () -> isBound(claim));
        assertThat(findVolume(claim)).contains("\"z2\"").doesNotContain("\"z1\"", "\"z3\"");
      }
      assertThat(explain("pvc/copy-0"))
          .containsPattern("(?s)The snapshot.*Name +s\\s.*Usable in +zone in \\[z2]");
      assertThat(explain("vs/s")).containsPattern("Usable in +zone in \\[z2]");
      assertThat(driver.calls()).isNotEmpty();
    }
  }

  private String explain(String object) throws Exception {
    return CommandResult.ofExplain(cluster.kubeconfig(), Resources.plugins(), object).out();
  }

  @Test
  void restore_classExcludesTopologyOfSnapshot_isExplained() throws Exception {
    try (ReferenceDriver driver = cluster.startDriver(DRIVER)) {
      startManager(GATE);
      takeSnapshot("z2");
      cluster.create(
          KindCatalogue.CLASSES,
          """
          {"metadata": {"name": "elsewhere"}, "provisioner": "%s", "allowedTopologies": [{"matchLabelExpressions": [{"key": "zone", "values": ["z1"]}]}]}
          """
              .formatted(CsiCluster.DRIVER));
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "copy"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "elsewhere", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "s"}}}
          """);
      cluster.await(
          "event gives the reason",
          () ->
              listObjects(KindCatalogue.EVENTS).stream()
                  .anyMatch(e -> e.toString().contains("exclude the snapshot's nodeAffinity")));
      assertThat(driver.calls().stream().filter(call -> call.startsWith("CreateVolume")))
          .as("only the source was created")
          .hasSize(1);
    }
  }

  @Test
  void snapshot_gateIsOff_hasNoTopology() throws Exception {
    try (ReferenceDriver driver = cluster.startDriver(DRIVER)) {
      startManager();
      takeSnapshot("z2");
      assertThat(readContent().toString()).doesNotContain("nodeAffinity");
      assertThat(driver.calls()).isNotEmpty();
    }
  }
}
