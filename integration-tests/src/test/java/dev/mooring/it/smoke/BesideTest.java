package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.it.Resources;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the provisioners of plugins beside a second manager, whose binder behaves like
 * kube-controller-manager and has no plugins.
 */
class BesideTest {
  private static final String NFS_PROVISIONER = "k8s-sigs.io/nfs-subdir-external-provisioner";

  @TempDir private Path folder;
  private SharedCluster cluster;
  private Path exportFolder;
  private Path localFolder;

  @BeforeEach
  void startCluster() throws Exception {
    exportFolder = Files.createDirectory(folder.resolve("export"));
    localFolder = Files.createDirectory(folder.resolve("local"));
    cluster = new SharedCluster(folder);
    cluster.startManager(
        Resources.plugins(),
        "--mode=beside",
        "--volume-usage-period=50ms",
        "--provisioner-retry-interval-start=50ms",
        "--plugin-setting=nfs-exports=nfs.example.com:/srv=" + exportFolder,
        "--plugin-setting=nfs-require-mount=false",
        "--plugin-setting=local-folder=" + localFolder,
        "--plugin-setting=local-node=node-1");
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  @Test
  void claim_nfs_getsAndReleasesDirectory() throws Exception {
    cluster.createClass(
        "nfs",
        NFS_PROVISIONER,
        "{\"pathPattern\": \"${.PVC.namespace}/${.PVC.annotations.team}/${.PVC.name}\", \"onDelete\": \"archive\"}");
    cluster.createClaim("c", "nfs", "");
    cluster.awaitCondition("claim is bound", () -> cluster.isBound("c"));
    assertThat(exportFolder.resolve("default/a/c")).isDirectory();
    JsonObject volume =
        cluster.handlers().store(KindCatalogue.VOLUMES).list("").objects().iterator().next().tree();
    assertThat(JsonBodies.textAt(volume, "spec", "nfs", "path")).isEqualTo("/srv/default/a/c");
    assertThat(JsonBodies.textAt(volume, "spec", "nfs", "server")).isEqualTo("nfs.example.com");
    assertThat(volume.getAsJsonObject("spec").get("mountOptions").toString())
        .isEqualTo("[\"nfsvers=4.2\"]");
    assertThat(
            JsonBodies.textAt(volume, "metadata", "annotations", "pv.kubernetes.io/provisioned-by"))
        .isEqualTo(NFS_PROVISIONER);
    cluster.awaitCondition(
        "claim has no finalizer", () -> !cluster.objectsAsText().contains("volume-being-made"));
    assertThat(cluster.hasEvent("c", "ProvisioningSucceeded", "Successfully provisioned volume"))
        .isTrue();
    Files.writeString(exportFolder.resolve("default/a/c/data"), "kept");

    // later changes of the class have no effect
    cluster.handlers().delete(KindCatalogue.CLASSES, "", "nfs", WriteOptions.PLAIN);
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "c", WriteOptions.PLAIN);
    cluster.awaitCondition(
        "volume is deleted",
        () -> cluster.handlers().store(KindCatalogue.VOLUMES).list("").objects().isEmpty());
    String name = JsonBodies.textAt(volume, "metadata", "name");
    assertThat(exportFolder.resolve("archived-default-a-c-" + name + "/data")).hasContent("kept");
  }

  @Test
  void claim_localClass_getsAndReleasesDirectoryOfNode() throws Exception {
    cluster.create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "local"}, "provisioner": "mooring.dev/local"}
        """);
    cluster.createClaim("c", "local", "");
    cluster.awaitCondition("claim is bound", () -> cluster.isBound("c"));
    JsonObject spec =
        cluster
            .handlers()
            .store(KindCatalogue.VOLUMES)
            .list("")
            .objects()
            .iterator()
            .next()
            .tree()
            .getAsJsonObject("spec");
    assertThat(JsonBodies.textAt(spec, "local", "path")).startsWith(localFolder + "/pvc-");
    assertThat(Path.of(JsonBodies.textAt(spec, "local", "path"))).isDirectory();
    assertThat(spec.get("nodeAffinity"))
        .isEqualTo(
            JsonParser.parseString(
                """
                {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["node-1"]}]}]}}
                """));
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "c", WriteOptions.PLAIN);
    cluster.awaitCondition(
        "volume is deleted",
        () -> cluster.handlers().store(KindCatalogue.VOLUMES).list("").objects().isEmpty());
    assertThat(Path.of(JsonBodies.textAt(spec, "local", "path"))).doesNotExist();
  }

  /** Kubernetes' expander waits for an external resizer; the plugin is that resizer. */
  @Test
  void volume_kubernetesExpander_isExpanded() throws Exception {
    cluster.create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "local"}, "provisioner": "mooring.dev/local", "allowVolumeExpansion": true}
        """);
    cluster.createClaim("c", "local", "");
    cluster.awaitCondition("claim is bound", () -> cluster.isBound("c"));
    cluster.requestSize("c", "3Gi");
    cluster.awaitCondition("claim is expanded", () -> cluster.capacity("c").equals("3Gi"));
    cluster.awaitCondition(
        "event is emitted", () -> cluster.hasEvent("c", "VolumeResizeSuccessful", ""));
  }

  @Test
  void volume_overSize_emitsEventOnClaim() throws Exception {
    cluster.createClass("nfs", NFS_PROVISIONER, "{\"pathPattern\": \"${.PVC.name}\"}");
    cluster.createClaim("c", "nfs", "");
    cluster.awaitCondition("claim is bound", () -> cluster.isBound("c"));
    Path largeFile = exportFolder.resolve("c/deep/much");
    Files.createDirectory(largeFile.getParent());
    try (RandomAccessFile file = new RandomAccessFile(largeFile.toFile(), "rw")) {
      file.setLength(2L << 30); // a sparse file
    }
    cluster.awaitCondition(
        "volume exceeds its size",
        () ->
            cluster.hasEvent(
                "c", "VolumeOverSize", "2147483648 bytes in 2 files, and its capacity is 1Gi"));
    Files.delete(largeFile);
    cluster.awaitCondition(
        "volume is within its size",
        () -> cluster.hasEvent("c", "VolumeWithinSize", "0 bytes in 1 files"));
  }

  @Test
  void claims_notProvisionable_getEventWithReason() throws Exception {
    cluster.createClass("typo", NFS_PROVISIONER, "{\"onDelete\": \"Delete\"}");
    cluster.createClass(
        "nfs", NFS_PROVISIONER, "{\"pathPattern\": \"${.PVC.annotations.missing}\"}");
    cluster.createClass("foreign", "example.com/other", "{}");
    cluster.createClaim("typo", "typo", "");
    cluster.createClaim("selector", "nfs", ", \"selector\": {\"matchLabels\": {\"a\": \"b\"}}");
    cluster.createClaim("missing", "nfs", "");
    cluster.createClaim("foreign", "foreign", "");
    cluster.awaitCondition(
        "claim with an invalid class parameter has an event",
        () -> cluster.hasEvent("typo", "ProvisioningFailed", "use delete, retain or archive"));
    cluster.awaitCondition(
        "claim with a selector has an event",
        () ->
            cluster.hasEvent("selector", "ProvisioningFailed", "claim Selector is not supported"));
    cluster.awaitCondition(
        "claim without the annotation has an event",
        () -> cluster.hasEvent("missing", "ProvisioningFailed", "add it to the claim"));
    cluster.awaitCondition(
        "claim of another provisioner waits",
        () -> cluster.hasEvent("foreign", "ExternalProvisioning", "example.com/other"));
    assertThat(cluster.hasEvent("foreign", "Provisioning", "")).isFalse();
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "typo", WriteOptions.PLAIN);
    cluster.awaitCondition(
        "claim is deleted without a finalizer",
        () -> cluster.handlers().store(KindCatalogue.CLAIMS).get("default/typo") == null);
    assertThat(cluster.phase("missing")).isEqualTo("Pending");
  }
}
