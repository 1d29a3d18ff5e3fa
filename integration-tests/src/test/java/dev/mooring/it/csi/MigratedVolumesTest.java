package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests classes with an in-tree provisioner whose CSI driver Mooring controls. */
class MigratedVolumesTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "kubernetes.io/aws-ebs,         ebs.csi.aws.com,          awsElasticBlockStore",
    "kubernetes.io/cinder,          cinder.csi.openstack.org, cinder",
    "kubernetes.io/portworx-volume, pxd.portworx.com,         portworxVolume",
  })
  void inTreeVolume_wholeLifecycle_succeeds(String provisioner, String driver, String type)
      throws Exception {
    Settings settings =
        Settings.of(
            driver,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.PUBLISH_UNPUBLISH_VOLUME,
            DriverCapability.EXPAND_VOLUME);
    try (CsiCluster cluster = new CsiCluster(folder, 1, false);
        ReferenceDriver referenceDriver = cluster.startDriver(settings)) {
      cluster.addDriverToNodes(driver);
      cluster.create(
          KindCatalogue.CLASSES,
          """
          {"metadata": {"name": "old"}, "provisioner": "%s", "volumeBindingMode": "Immediate", "reclaimPolicy": "Delete", "allowVolumeExpansion": true, "parameters": {"kind": "good"}}
          """
              .formatted(provisioner));
      ControllerManager manager = startManager(cluster, driver);
      try {
        playLifecycle(cluster, provisioner, type);
        // the driver gets an idempotent call twice if another client writes the claim meanwhile
        assertThat(new LinkedHashSet<>(referenceDriver.calls()))
            .extracting(call -> call.substring(0, call.indexOf(' ')))
            .containsExactly(
                "CreateVolume",
                "ControllerPublishVolume",
                "ControllerExpandVolume",
                "ControllerUnpublishVolume",
                "DeleteVolume");
      } finally {
        manager.stop();
      }
    }
  }

  /** Covers an inline volume of a pod, which only the VolumeAttachment describes. */
  @Test
  void inlineVolume_migrated_isAttachedByDriver() throws Exception {
    String driver = "ebs.csi.aws.com";
    Settings settings =
        Settings.of(
            driver,
            DriverCapability.CONTROLLER_SERVICE,
            DriverCapability.CREATE_DELETE_VOLUME,
            DriverCapability.PUBLISH_UNPUBLISH_VOLUME);
    try (CsiCluster cluster = new CsiCluster(folder, 1, false);
        ReferenceDriver referenceDriver = cluster.startDriver(settings)) {
      cluster.addDriverToNodes(driver);
      String id = cluster.store().add("by hand", 1 << 30, "", "").id();
      cluster.create(
          KindCatalogue.PODS,
          """
          {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "awsElasticBlockStore": {"volumeID": "%s", "fsType": "ext4"}}]}}
          """
              .formatted(id));
      ControllerManager manager = startManager(cluster, driver);
      try {
        cluster.await("pod runs", () -> cluster.countInPhase(KindCatalogue.PODS, "Running") == 1);
        assertThat(cluster.store().listVolumes().getFirst().nodes()).hasSize(1);
        JsonObject attachment = cluster.anyObject(KindCatalogue.ATTACHMENTS);
        assertThat(
                JsonBodies.textAt(
                    attachment, "spec", "source", "inlineVolumeSpec", "csi", "volumeHandle"))
            .isEqualTo(id);
        cluster.delete(KindCatalogue.PODS, "p");
        cluster.await("volume is detached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
        assertThat(cluster.store().listVolumes())
            .singleElement()
            .matches(item -> item.nodes().isEmpty());
        assertThat(new LinkedHashSet<>(referenceDriver.calls()))
            .extracting(call -> call.substring(0, call.indexOf(' ')))
            .containsExactly("ControllerPublishVolume", "ControllerUnpublishVolume");
      } finally {
        manager.stop();
      }
    }
  }

  private static ControllerManager startManager(CsiCluster cluster, String driver)
      throws Exception {
    ControllerManager manager =
        cluster.createManager(
            List.of(
                "--endpoints=off",
                "--leader-elect=false",
                cluster.endpointFlag(driver),
                "--default-fstype=xfs",
                "--csi-retry-interval-start=20ms",
                "--csi-retry-interval-max=300ms"));
    manager.start();
    return manager;
  }

  private static void playLifecycle(CsiCluster cluster, String provisioner, String type)
      throws Exception {
    cluster.createClaim("a", "old");
    cluster.createPod("a", "a");
    cluster.await("pod runs", () -> cluster.countInPhase(KindCatalogue.PODS, "Running") == 1);
    JsonObject volume = cluster.anyObject(KindCatalogue.VOLUMES);
    JsonObject spec = volume.getAsJsonObject("spec");
    assertThat(spec.has("csi")).isFalse();
    assertThat(JsonBodies.textAt(spec, type, "volumeID"))
        .isEqualTo(cluster.store().listVolumes().getFirst().id());
    assertThat(JsonBodies.textAt(spec, type, "fsType")).isEqualTo("xfs");
    assertThat(JsonBodies.textAt(spec, "storageClassName")).isEqualTo("old");
    assertThat(
            JsonBodies.textAt(volume, "metadata", "annotations", "pv.kubernetes.io/provisioned-by"))
        .isEqualTo(provisioner);
    assertThat(cluster.store().listVolumes().getFirst().parameters()).isEqualTo("{kind=good}");
    cluster.await(
        "volume is attached", () -> !cluster.store().listVolumes().getFirst().nodes().isEmpty());
    cluster.expandClaim("a", "2Gi");
    cluster.await("claim is expanded", () -> cluster.countClaims("2Gi") == 1);
    cluster.delete(KindCatalogue.PODS, "a");
    cluster.await("volume is detached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
    cluster.delete(KindCatalogue.CLAIMS, "a");
    cluster.await(
        "all objects are deleted",
        () -> cluster.isEmpty(KindCatalogue.VOLUMES) && cluster.store().listVolumes().isEmpty());
  }
}
