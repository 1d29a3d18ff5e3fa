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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a plugin's provisioner in a process of its own, beside a binder that behaves like
 * kube-controller-manager and has no plugins.
 */
@Timeout(300)
class BesideTest {
  private static final String NFS = "k8s-sigs.io/nfs-subdir-external-provisioner";

  @TempDir private Path folder;
  private SharedCluster cluster;
  private Path export;
  private Path local;

  @BeforeEach
  void startBoth() throws Exception {
    export = Files.createDirectory(folder.resolve("export"));
    local = Files.createDirectory(folder.resolve("local"));
    cluster = new SharedCluster(folder);
    cluster.start(
        Resources.plugins(),
        "--mode=beside",
        "--volume-usage-period=50ms",
        "--provisioner-retry-interval-start=50ms",
        "--plugin-setting=nfs-exports=nfs.example.com:/srv=" + export,
        "--plugin-setting=nfs-require-mount=false",
        "--plugin-setting=local-folder=" + local,
        "--plugin-setting=local-node=node-1");
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  @Test
  void claim_nfs_getsAndReleasesDirectory() throws Exception {
    cluster.classNamed(
        "nfs",
        NFS,
        "{\"pathPattern\": \"${.PVC.namespace}/${.PVC.annotations.team}/${.PVC.name}\", \"onDelete\": \"archive\"}");
    cluster.claim("c", "nfs", "");
    cluster.until("claim is bound", () -> cluster.isBound("c"));
    assertThat(export.resolve("default/a/c")).isDirectory();
    JsonObject volume =
        cluster.handlers().store(KindCatalogue.VOLUMES).list("").objects().iterator().next().tree();
    assertThat(JsonBodies.textAt(volume, "spec", "nfs", "path")).isEqualTo("/srv/default/a/c");
    assertThat(JsonBodies.textAt(volume, "spec", "nfs", "server")).isEqualTo("nfs.example.com");
    assertThat(volume.getAsJsonObject("spec").get("mountOptions").toString())
        .isEqualTo("[\"nfsvers=4.2\"]");
    assertThat(
            JsonBodies.textAt(volume, "metadata", "annotations", "pv.kubernetes.io/provisioned-by"))
        .isEqualTo(NFS);
    cluster.until("claim has no finalizer", () -> !cluster.state().contains("volume-being-made"));
    assertThat(cluster.hasEvent("c", "ProvisioningSucceeded", "Successfully provisioned volume"))
        .isTrue();
    Files.writeString(export.resolve("default/a/c/data"), "kept");

    // later changes of the class have no effect
    cluster.handlers().delete(KindCatalogue.CLASSES, "", "nfs", WriteOptions.PLAIN);
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "c", WriteOptions.PLAIN);
    cluster.until(
        "volume is deleted",
        () -> cluster.handlers().store(KindCatalogue.VOLUMES).list("").objects().isEmpty());
    String name = JsonBodies.textAt(volume, "metadata", "name");
    assertThat(export.resolve("archived-default-a-c-" + name + "/data")).hasContent("kept");
  }

  @Test
  void localVolume_hasNodeAffinity() throws Exception {
    cluster.create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "local"}, "provisioner": "mooring.dev/local"}
        """);
    cluster.claim("c", "local", "");
    cluster.until("claim is bound", () -> cluster.isBound("c"));
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
    assertThat(JsonBodies.textAt(spec, "local", "path")).startsWith(local + "/pvc-");
    assertThat(Path.of(JsonBodies.textAt(spec, "local", "path"))).isDirectory();
    assertThat(spec.get("nodeAffinity"))
        .isEqualTo(
            JsonParser.parseString(
                """
                {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["node-1"]}]}]}}
                """));
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "c", WriteOptions.PLAIN);
    cluster.until(
        "object is deleted",
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
    cluster.claim("c", "local", "");
    cluster.until("claim is bound", () -> cluster.isBound("c"));
    cluster.ask("c", "3Gi");
    cluster.until("claim is expanded", () -> cluster.capacity("c").equals("3Gi"));
    cluster.until("event is emitted", () -> cluster.hasEvent("c", "VolumeResizeSuccessful", ""));
  }

  @Test
  void volume_overSize_emitsEventOnClaim() throws Exception {
    cluster.classNamed("nfs", NFS, "{\"pathPattern\": \"${.PVC.name}\"}");
    cluster.claim("c", "nfs", "");
    cluster.until("claim is bound", () -> cluster.isBound("c"));
    Path much = export.resolve("c/deep/much");
    Files.createDirectory(much.getParent());
    try (RandomAccessFile file = new RandomAccessFile(much.toFile(), "rw")) {
      file.setLength(2L << 30); // a sparse file
    }
    cluster.until(
        "volume exceeds its size",
        () -> cluster.hasEvent("c", "VolumeOverSize", "2147483648 bytes in 2 files, and has 1Gi"));
    Files.delete(much);
    cluster.until(
        "volume is within its size",
        () -> cluster.hasEvent("c", "VolumeWithinSize", "0 bytes in 1 files"));
  }

  @Test
  void invalidClaims_areExplained() throws Exception {
    cluster.classNamed("typo", NFS, "{\"onDelete\": \"Delete\"}");
    cluster.classNamed("nfs", NFS, "{\"pathPattern\": \"${.PVC.annotations.missing}\"}");
    cluster.classNamed("foreign", "example.com/other", "{}");
    cluster.claim("typo", "typo", "");
    cluster.claim("selector", "nfs", ", \"selector\": {\"matchLabels\": {\"a\": \"b\"}}");
    cluster.claim("missing", "nfs", "");
    cluster.claim("foreign", "foreign", "");
    cluster.until(
        "typo is reported",
        () -> cluster.hasEvent("typo", "ProvisioningFailed", "use delete, retain or archive"));
    cluster.until(
        "selector is rejected",
        () ->
            cluster.hasEvent("selector", "ProvisioningFailed", "claim Selector is not supported"));
    cluster.until(
        "missing annotation is reported",
        () -> cluster.hasEvent("missing", "ProvisioningFailed", "add it to the claim"));
    cluster.until(
        "foreign claim waits",
        () -> cluster.hasEvent("foreign", "ExternalProvisioning", "example.com/other"));
    assertThat(cluster.hasEvent("foreign", "Provisioning", "")).isFalse();
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "typo", WriteOptions.PLAIN);
    cluster.until(
        "no finalizer is left",
        () -> cluster.handlers().store(KindCatalogue.CLAIMS).get("default/typo") == null);
    assertThat(cluster.phase("missing")).isEqualTo("Pending");
  }
}
