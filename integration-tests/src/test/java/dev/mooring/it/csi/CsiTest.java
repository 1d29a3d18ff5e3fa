package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.VolumeStore;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import io.grpc.Status;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests the lifecycle of a CSI driver's volumes behind the packaged bridge. */
class CsiTest extends CsiFixture {
  @Test
  void csiVolume_wholeLifecycle_succeeds() throws Exception {
    try (ReferenceDriver driver = cluster.startDriver(CsiCluster.ALL_CAPABILITIES)) {
      startManager();
      cluster.createClaim("a", "later");
      cluster.createPod("a", "a");
      cluster.await("pod runs", () -> cluster.countInPhase(KindCatalogue.PODS, "Running") == 1);
      JsonObject volume = cluster.anyObject(KindCatalogue.VOLUMES);
      JsonObject spec = volume.getAsJsonObject("spec");
      assertThat(JsonBodies.textAt(spec, "csi", "driver")).isEqualTo(CsiCluster.DRIVER);
      assertThat(JsonBodies.textAt(spec, "csi", "fsType")).isEqualTo("xfs");
      assertThat(JsonBodies.textAt(spec, "capacity", "storage")).isEqualTo("1Gi");
      assertThat(JsonBodies.textAt(spec, "csi", "volumeAttributes", "made-by"))
          .isEqualTo(CsiCluster.DRIVER);
      assertThat(spec.getAsJsonObject("nodeAffinity").toString()).contains("zone");
      assertThat(volume.getAsJsonObject("metadata").get("finalizers").toString())
          .contains(
              "external-provisioner.volume.kubernetes.io/finalizer",
              "external-attacher/csi-example-com");
      JsonObject attachment = cluster.anyObject(KindCatalogue.ATTACHMENTS);
      assertThat(JsonBodies.textAt(attachment, "status", "attachmentMetadata", "device"))
          .startsWith("/dev/vol-");
      assertThat(store.listVolumes()).singleElement().matches(item -> item.nodes().size() == 1);
      assertThat(store.listVolumes().getFirst().parameters()).isEqualTo("{tier=fast}");

      cluster.expandClaim("a", "2Gi");
      cluster.await("claim is expanded", () -> cluster.countClaims("2Gi") == 1);
      cluster.await(
          "claim has the event",
          () -> cluster.countObjects(KindCatalogue.EVENTS, "VolumeResizeSuccessful", "reason") > 0);
      assertThat(store.listVolumes().getFirst().bytes()).isEqualTo(2L << 30);
      JsonObject expandedClaim = cluster.anyObject(KindCatalogue.CLAIMS);
      assertThat(JsonBodies.valueAt(expandedClaim, "status", "conditions")).isNull();
      assertThat(JsonBodies.valueAt(expandedClaim, "status", "allocatedResourceStatuses")).isNull();
      assertThat(JsonBodies.textAt(expandedClaim, "status", "allocatedResources", "storage"))
          .isEqualTo("2Gi");
      cluster.delete(KindCatalogue.PODS, "a");
      cluster.await("volume is detached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
      assertThat(store.listVolumes()).singleElement().matches(item -> item.nodes().isEmpty());
      cluster.delete(KindCatalogue.CLAIMS, "a");
      cluster.await(
          "all objects are deleted",
          () -> cluster.isEmpty(KindCatalogue.VOLUMES) && store.listVolumes().isEmpty());
      assertThat(driver.calls())
          .extracting(call -> call.substring(0, call.indexOf(' ')))
          .filteredOn(call -> !call.equals("ListVolumes"))
          .containsExactly(
              "CreateVolume",
              "ControllerPublishVolume",
              "ControllerExpandVolume",
              "ControllerUnpublishVolume",
              "DeleteVolume");
      assertThat(fetchMetrics())
          .contains(
              "controller_persistentvolumeclaim_provision_total{class=\"later\",source=\"\"} 1",
              "controller_persistentvolume_delete_total{class=\"later\"} 1",
              "controller_persistentvolume_delete_duration_seconds_count{class=\"later\"} 1",
              "csi_sidecar_operations_seconds_count{driver_name=\"csi.example.com\",grpc_status_code=\"OK\",method_name=\"/csi.v1.Controller/CreateVolume\",migrated=\"false\"} 1");
    }
  }

  /** Every call may fail in any way. No volume is created twice or remains. */
  @Test
  void volumes_faultsInEveryCall_areCreatedOnceAndDeleted() throws Exception {
    Random random = new Random(Long.getLong("mooring.csi.seed", 1));
    Settings faultySettings =
        CsiCluster.ALL_CAPABILITIES.with(method -> CsiCluster.randomFault(method, random));
    try (ReferenceDriver driver = cluster.startDriver(faultySettings)) {
      startManager("--csi-timeout=500ms");
      int podCount = 20;
      for (int i = 0; i < podCount; i++) {
        cluster.createClaim("p-" + i, i % 2 == 0 ? "now" : "later");
        cluster.createPod("p-" + i, "p-" + i);
      }
      cluster.await(
          "all pods run", () -> cluster.countInPhase(KindCatalogue.PODS, "Running") == podCount);
      assertThat(store.listVolumes()).hasSize(podCount);
      for (int i = 0; i < podCount; i++) {
        cluster.expandClaim("p-" + i, "2Gi");
      }
      cluster.await("all claims are expanded", () -> cluster.countClaims("2Gi") == podCount);
      assertThat(store.listVolumes()).allMatch(item -> item.bytes() == 2L << 30);
      for (int i = 0; i < podCount; i++) {
        cluster.delete(KindCatalogue.PODS, "p-" + i);
        cluster.delete(KindCatalogue.CLAIMS, "p-" + i);
      }
      cluster.await(
          "all objects are deleted",
          () -> cluster.isEmpty(KindCatalogue.VOLUMES) && store.listVolumes().isEmpty());
      cluster.await("no volume is attached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
      assertThat(driver.calls()).hasSizeGreaterThan(4 * podCount);
    }
  }

  @Test
  void expansion_nodeExpansionRequired_endsAfterNode() throws Exception {
    Settings settings =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.EXPAND_VOLUME,
            DriverCapability.NODE_EXPAND_VOLUME);
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager();
      cluster.createClaim("a", "now");
      cluster.await(
          "claim is bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.expandClaim("a", "2Gi");
      cluster.await(
          "driver requires node expansion",
          () ->
              cluster.countObjects(
                      KindCatalogue.CLAIMS,
                      "NodeResizePending",
                      "status",
                      "allocatedResourceStatuses",
                      "storage")
                  == 1);
      JsonObject volume = cluster.anyObject(KindCatalogue.VOLUMES);
      assertThat(JsonBodies.textAt(volume, "spec", "capacity", "storage")).isEqualTo("2Gi");
      assertThat(volume.getAsJsonObject("metadata").getAsJsonObject("annotations").toString())
          .contains("\"volume.alpha.kubernetes.io/pre-resize-capacity\":\"1Gi\"");
      assertThat(cluster.countClaims("1Gi")).isEqualTo(1);
      cluster
          .handlers()
          .update(
              KindCatalogue.CLAIMS,
              "default",
              "a",
              WriteOptions.STATUS,
              tree -> {
                JsonObject status = tree.getAsJsonObject("status");
                status.getAsJsonObject("capacity").addProperty("storage", "2Gi");
                status.remove("allocatedResourceStatuses");
                status.remove("conditions");
                return tree;
              });
      cluster.await(
          "annotation is removed",
          () ->
              !cluster.anyObject(KindCatalogue.VOLUMES).toString().contains("pre-resize-capacity"));
      assertThat(driver.calls()).filteredOn(call -> call.startsWith("ControllerExpand")).hasSize(1);
    }
  }

  @Test
  void attributesClass_changed_modifiesVolume() throws Exception {
    Settings settings =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.MODIFY_VOLUME);
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager();
      cluster.createAttributesClass("gold", "9000");
      cluster.createClaim("a", "now");
      cluster.await(
          "claim is bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.setAttributesClass("a", "gold");
      cluster.await(
          "claim has the class gold",
          () ->
              cluster.countObjects(
                      KindCatalogue.CLAIMS, "gold", "status", "currentVolumeAttributesClassName")
                  == 1);
      JsonObject claim = cluster.anyObject(KindCatalogue.CLAIMS);
      assertThat(JsonBodies.valueAt(claim, "status", "modifyVolumeStatus")).isNull();
      assertThat(JsonBodies.valueAt(claim, "status", "conditions")).isNull();
      JsonObject volume = cluster.anyObject(KindCatalogue.VOLUMES);
      assertThat(JsonBodies.textAt(volume, "spec", "volumeAttributesClassName")).isEqualTo("gold");
      assertThat(store.listVolumes().getFirst().parameters()).isEqualTo("{iops=9000}");
      assertThat(driver.calls()).filteredOn(call -> call.startsWith("ControllerModify")).hasSize(1);
    }
  }

  @Test
  void clone_inProgress_sourceHasFinalizer() throws Exception {
    Settings settings =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.CLONE_VOLUME);
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager();
      cluster.createClaim("source", "now");
      cluster.await(
          "claim is bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "copy"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"kind": "PersistentVolumeClaim", "name": "source"}}}
          """);
      cluster.await(
          "clone is bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 2);
      assertThat(store.listVolumes())
          .extracting(VolumeStore.Item::source)
          .contains(sourceVolumeId());
      JsonObject sourceClaim = cluster.find(KindCatalogue.CLAIMS, "source").orElseThrow();
      assertThat(sourceClaim.getAsJsonObject("metadata").get("finalizers").toString())
          .contains("provisioner.storage.kubernetes.io/cloning-protection");
      cluster.await("clone is counted", () -> countsClone());
      cluster.delete(KindCatalogue.CLAIMS, "source");
      cluster.await(
          "source claim is deleted",
          () -> cluster.handlers().store(KindCatalogue.CLAIMS).list("").objects().size() == 1);
      cluster.await("source volume is deleted", () -> store.listVolumes().size() == 1);
      assertThat(driver.calls()).filteredOn(call -> call.startsWith("CreateVolume")).hasSize(2);
    }
  }

  private boolean countsClone() {
    String metric = "controller_persistentvolumeclaim_provision_total{class=\"now\",source=";
    try {
      String metrics = fetchMetrics();
      return metrics.contains(metric + "\"\"} 1")
          && metrics.contains(metric + "\"PersistentVolumeClaim\"} 1");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private String sourceVolumeId() {
    return store.listVolumes().stream()
        .filter(item -> item.source().isEmpty())
        .map(VolumeStore.Item::id)
        .findFirst()
        .orElseThrow();
  }

  /** The volume exists, but the process ended without the response. Then the claim was deleted. */
  @Test
  void deletedClaim_uncertainVolume_isDeleted() throws Exception {
    Settings lossySettings =
        CsiCluster.ALL_CAPABILITIES.with(method ->
            method.equals("CreateVolume")
                ? new Fault.Lost(Status.Code.DEADLINE_EXCEEDED)
                : Fault.NONE);
    try (ReferenceDriver driver = cluster.startDriver(lossySettings)) {
      startManager();
      cluster.createClaim("a", "now");
      cluster.await("volume is created", () -> store.listVolumes().size() == 1);
      manager.stop();
      manager = null;
      assertThat(driver.calls()).isNotEmpty();
    }
    cluster.delete(KindCatalogue.CLAIMS, "a");
    assertThat(cluster.isEmpty(KindCatalogue.CLAIMS)).as("claim waits for the result").isFalse();
    try (ReferenceDriver driver = cluster.startDriver(CsiCluster.ALL_CAPABILITIES)) {
      startManager();
      cluster.await("claim is deleted", () -> cluster.isEmpty(KindCatalogue.CLAIMS));
      cluster.await(
          "all objects are deleted",
          () -> cluster.isEmpty(KindCatalogue.VOLUMES) && store.listVolumes().isEmpty());
      assertThat(driver.calls()).anyMatch(call -> call.startsWith("DeleteVolume"));
    }
  }

  /** The driver does not list the publication, as after a loss in the storage system. */
  @Test
  void publication_missingInDriver_isRepeated() throws Exception {
    AtomicBoolean isHidden = new AtomicBoolean();
    Settings settings =
        CsiCluster.ALL_CAPABILITIES.with(method ->
            method.equals("ListVolumes entries") && isHidden.get()
                ? new Fault.Partly()
                : Fault.NONE);
    try (ReferenceDriver driver = cluster.startDriver(settings)) {
      startManager("--csi-reconcile-sync=100ms");
      cluster.createClaim("a", "later");
      cluster.createPod("a", "a");
      cluster.await("pod runs", () -> cluster.countInPhase(KindCatalogue.PODS, "Running") == 1);
      isHidden.set(true);
      cluster.await(
          "volume is published again",
          () ->
              driver.calls().stream().filter(call -> call.startsWith("ControllerPublish")).count()
                  > 1);
      isHidden.set(false);
    }
  }
}
