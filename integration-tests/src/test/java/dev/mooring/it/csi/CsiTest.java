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
import org.junit.jupiter.api.Timeout;

/**
 * Tests the volumes of a CSI driver behind the packaged bridge: provision, attach, detach, delete.
 */
@Timeout(300)
class CsiTest extends CsiFixture {
  @Test
  void csiVolume_wholeLifecycle_succeeds() throws Exception {
    try (ReferenceDriver driver = cluster.driver(CsiCluster.ABLE)) {
      startManager();
      cluster.claim("a", "later");
      cluster.pod("a", "a");
      cluster.until("pod runs", () -> cluster.inPhase(KindCatalogue.PODS, "Running") == 1);
      JsonObject volume = cluster.one(KindCatalogue.VOLUMES);
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
      JsonObject attachment = cluster.one(KindCatalogue.ATTACHMENTS);
      assertThat(JsonBodies.textAt(attachment, "status", "attachmentMetadata", "device"))
          .startsWith("/dev/vol-");
      assertThat(store.listVolumes()).singleElement().matches(i -> i.nodes().size() == 1);
      assertThat(store.listVolumes().getFirst().parameters()).isEqualTo("{tier=fast}");

      cluster.grow("a", "2Gi");
      cluster.until("claim is expanded", () -> cluster.countOfSize("2Gi") == 1);
      cluster.until(
          "claim has the event",
          () -> cluster.countWith(KindCatalogue.EVENTS, "VolumeResizeSuccessful", "reason") > 0);
      assertThat(store.listVolumes().getFirst().bytes()).isEqualTo(2L << 30);
      JsonObject grown = cluster.one(KindCatalogue.CLAIMS);
      assertThat(JsonBodies.valueAt(grown, "status", "conditions")).isNull();
      assertThat(JsonBodies.valueAt(grown, "status", "allocatedResourceStatuses")).isNull();
      assertThat(JsonBodies.textAt(grown, "status", "allocatedResources", "storage"))
          .isEqualTo("2Gi");
      cluster.delete(KindCatalogue.PODS, "a");
      cluster.until("volume is detached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
      assertThat(store.listVolumes()).singleElement().matches(i -> i.nodes().isEmpty());
      cluster.delete(KindCatalogue.CLAIMS, "a");
      cluster.until(
          "all objects are deleted",
          () -> cluster.isEmpty(KindCatalogue.VOLUMES) && store.listVolumes().isEmpty());
      assertThat(driver.calls())
          .extracting(c -> c.substring(0, c.indexOf(' ')))
          .filteredOn(c -> !c.equals("ListVolumes"))
          .containsExactly(
              "CreateVolume",
              "ControllerPublishVolume",
              "ControllerExpandVolume",
              "ControllerUnpublishVolume",
              "DeleteVolume");
      assertThat(metrics())
          .contains(
              "controller_persistentvolumeclaim_provision_total{class=\"later\",source=\"\"} 1",
              "controller_persistentvolume_delete_total{class=\"later\"} 1",
              "controller_persistentvolume_delete_duration_seconds_count{class=\"later\"} 1",
              "csi_sidecar_operations_seconds_count{driver_name=\"csi.example.com\",grpc_status_code=\"OK\",method_name=\"/csi.v1.Controller/CreateVolume\",migrated=\"false\"} 1");
    }
  }

  /** Every call may fail in any way; no volume is created twice or left behind. */
  @Test
  void volumes_faultsInEveryCall_noneLostOrLeaked() throws Exception {
    Random random = new Random(Long.getLong("mooring.csi.seed", 1));
    Settings faulty = CsiCluster.ABLE.with(method -> CsiCluster.fault(method, random));
    try (ReferenceDriver driver = cluster.driver(faulty)) {
      startManager("--csi-timeout=500ms");
      int pods = 20;
      for (int i = 0; i < pods; i++) {
        cluster.claim("p-" + i, i % 2 == 0 ? "now" : "later");
        cluster.pod("p-" + i, "p-" + i);
      }
      cluster.until("all pods run", () -> cluster.inPhase(KindCatalogue.PODS, "Running") == pods);
      assertThat(store.listVolumes()).hasSize(pods);
      for (int i = 0; i < pods; i++) {
        cluster.grow("p-" + i, "2Gi");
      }
      cluster.until("all claims are expanded", () -> cluster.countOfSize("2Gi") == pods);
      assertThat(store.listVolumes()).allMatch(i -> i.bytes() == 2L << 30);
      for (int i = 0; i < pods; i++) {
        cluster.delete(KindCatalogue.PODS, "p-" + i);
        cluster.delete(KindCatalogue.CLAIMS, "p-" + i);
      }
      cluster.until(
          "all objects are deleted",
          () -> cluster.isEmpty(KindCatalogue.VOLUMES) && store.listVolumes().isEmpty());
      cluster.until("no volume is attached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
      assertThat(driver.calls()).hasSizeGreaterThan(4 * pods);
    }
  }

  @Test
  void expansion_nodeExpansionRequired_waitsForNode() throws Exception {
    Settings both =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.EXPAND_VOLUME,
            DriverCapability.NODE_EXPAND_VOLUME);
    try (ReferenceDriver driver = cluster.driver(both)) {
      startManager();
      cluster.claim("a", "now");
      cluster.until("claim is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.grow("a", "2Gi");
      cluster.until(
          "driver asks for node expansion",
          () ->
              cluster.countWith(
                      KindCatalogue.CLAIMS,
                      "NodeResizePending",
                      "status",
                      "allocatedResourceStatuses",
                      "storage")
                  == 1);
      JsonObject volume = cluster.one(KindCatalogue.VOLUMES);
      assertThat(JsonBodies.textAt(volume, "spec", "capacity", "storage")).isEqualTo("2Gi");
      assertThat(volume.getAsJsonObject("metadata").getAsJsonObject("annotations").toString())
          .contains("\"volume.alpha.kubernetes.io/pre-resize-capacity\":\"1Gi\"");
      assertThat(cluster.countOfSize("1Gi")).isEqualTo(1);
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
      cluster.until(
          "annotation is removed",
          () -> !cluster.one(KindCatalogue.VOLUMES).toString().contains("pre-resize-capacity"));
      assertThat(driver.calls()).filteredOn(c -> c.startsWith("ControllerExpand")).hasSize(1);
    }
  }

  @Test
  void attributesClass_changed_modifiesVolume() throws Exception {
    Settings able =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.MODIFY_VOLUME);
    try (ReferenceDriver driver = cluster.driver(able)) {
      startManager();
      cluster.attributesClass("gold", "9000");
      cluster.claim("a", "now");
      cluster.until("claim is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.modify("a", "gold");
      cluster.until(
          "claim has the class gold",
          () ->
              cluster.countWith(
                      KindCatalogue.CLAIMS, "gold", "status", "currentVolumeAttributesClassName")
                  == 1);
      JsonObject claim = cluster.one(KindCatalogue.CLAIMS);
      assertThat(JsonBodies.valueAt(claim, "status", "modifyVolumeStatus")).isNull();
      assertThat(JsonBodies.valueAt(claim, "status", "conditions")).isNull();
      JsonObject volume = cluster.one(KindCatalogue.VOLUMES);
      assertThat(JsonBodies.textAt(volume, "spec", "volumeAttributesClassName")).isEqualTo("gold");
      assertThat(store.listVolumes().getFirst().parameters()).isEqualTo("{iops=9000}");
      assertThat(driver.calls()).filteredOn(c -> c.startsWith("ControllerModify")).hasSize(1);
    }
  }

  @Test
  void clone_inProgress_protectsSource() throws Exception {
    Settings able =
        Settings.of(
            CsiCluster.DRIVER,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.CLONE_VOLUME);
    try (ReferenceDriver driver = cluster.driver(able)) {
      startManager();
      cluster.claim("source", "now");
      cluster.until("claim is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "copy"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"kind": "PersistentVolumeClaim", "name": "source"}}}
          """);
      cluster.until("clone is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 2);
      assertThat(store.listVolumes()).extracting(VolumeStore.Item::source).contains(source());
      JsonObject held = cluster.get(KindCatalogue.CLAIMS, "source").orElseThrow();
      assertThat(held.getAsJsonObject("metadata").get("finalizers").toString())
          .contains("provisioner.storage.kubernetes.io/cloning-protection");
      cluster.delete(KindCatalogue.CLAIMS, "source");
      cluster.until(
          "source claim is deleted",
          () -> cluster.handlers().store(KindCatalogue.CLAIMS).list("").objects().size() == 1);
      cluster.until("source volume is deleted", () -> store.listVolumes().size() == 1);
      assertThat(driver.calls()).filteredOn(c -> c.startsWith("CreateVolume")).hasSize(2);
    }
  }

  private String source() {
    return store.listVolumes().stream()
        .filter(i -> i.source().isEmpty())
        .map(VolumeStore.Item::id)
        .findFirst()
        .orElseThrow();
  }

  /**
   * The volume exists, but its response was lost with the process, and the claim was then deleted.
   */
  @Test
  void deletedClaim_uncertainVolume_isDeleted() throws Exception {
    Settings lossy =
        CsiCluster.ABLE.with(m ->
            m.equals("CreateVolume") ? new Fault.Lost(Status.Code.DEADLINE_EXCEEDED) : Fault.NONE);
    try (ReferenceDriver driver = cluster.driver(lossy)) {
      startManager();
      cluster.claim("a", "now");
      cluster.until("volume is created", () -> store.listVolumes().size() == 1);
      manager.stop();
      manager = null;
      assertThat(driver.calls()).isNotEmpty();
    }
    cluster.delete(KindCatalogue.CLAIMS, "a");
    assertThat(cluster.isEmpty(KindCatalogue.CLAIMS)).as("claim waits for the result").isFalse();
    try (ReferenceDriver driver = cluster.driver(CsiCluster.ABLE)) {
      startManager();
      cluster.until("claim is deleted", () -> cluster.isEmpty(KindCatalogue.CLAIMS));
      cluster.until(
          "all objects are deleted",
          () -> cluster.isEmpty(KindCatalogue.VOLUMES) && store.listVolumes().isEmpty());
      assertThat(driver.calls()).anyMatch(c -> c.startsWith("DeleteVolume"));
    }
  }

  /** spec/csi-bridge.md, case 45: the storage lost the publication. */
  @Test
  void publication_missingInDriver_isRepeated() throws Exception {
    AtomicBoolean hidden = new AtomicBoolean();
    Settings partly =
        CsiCluster.ABLE.with(
            m -> m.equals("ListVolumes entries") && hidden.get() ? new Fault.Partly() : Fault.NONE);
    try (ReferenceDriver driver = cluster.driver(partly)) {
      startManager("--csi-reconcile-sync=100ms");
      cluster.claim("a", "later");
      cluster.pod("a", "a");
      cluster.until("pod runs", () -> cluster.inPhase(KindCatalogue.PODS, "Running") == 1);
      hidden.set(true);
      cluster.until(
          "volume is published again",
          () -> driver.calls().stream().filter(c -> c.startsWith("ControllerPublish")).count() > 1);
      hidden.set(false);
    }
  }
}
