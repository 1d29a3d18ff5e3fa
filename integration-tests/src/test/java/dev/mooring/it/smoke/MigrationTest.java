package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.manager.Main;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.yaml.snakeyaml.Yaml;

/** Follows the guides {@code docs/migrate-from-…}, there and back; no volume is modified. */
@Timeout(300)
class MigrationTest extends MigrationFixture {
  private static final String NFS = "k8s-sigs.io/nfs-subdir-external-provisioner";

  private JsonObject claim(String name, String className, String volume) throws Exception {
    return create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s"},
         "spec": {"accessModes": ["ReadWriteMany"], "storageClassName": "%s", "volumeName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, className, volume));
  }

  private void volume(String name, String more) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s", "annotations": {"note": "mine"}},
         "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"], "storageClassName": "manual",
          "nfs": {"server": "10.0.0.9", "path": "/exports/%s"}%s}}
        """
            .formatted(name, name, more));
  }

  @Test
  void migration_kcmAndBack_writesNoObject() throws Exception {
    ControllerManager theirs = kubernetes();
    volume("bound", "");
    volume("kept", ", \"claimRef\": {\"namespace\": \"default\", \"name\": \"later\"}");
    claim("data", "manual", "");
    untilBound("data");
    claim("hopes", "manual", "not-there");
    TestWait.until(
        () -> "retained volume is available, claim is protected",
        () ->
            api.get("PersistentVolume", "", "kept").toString().contains("Available")
                && api.get("PersistentVolumeClaim", "default", "hopes")
                    .toString()
                    .contains("pvc-protection"));
    theirs.stop();
    Map<String, String> before = allObjects();

    try (JavaProcess mooring =
        JavaProcess.mooring(
            "run", "--mode=replace", "--endpoints=off", "--kubeconfig=" + kubeconfig)) {
      mooring.awaitLine(line -> line.contains("running "));
      volume("ours", "");
      claim("new", "manual", "");
      untilBound("new");
      hasUntouched(before);
      mooring.stop();
    }
    Map<String, String> between = allObjects();
    assertThat(uninstall()).isZero();
    hasUntouched(between);
    assertThat(api.list("Lease")).isEmpty();

    ControllerManager again = kubernetes();
    try {
      volume("theirs", "");
      claim("newer", "manual", "");
      untilBound("newer");
      hasUntouched(before);
    } finally {
      again.stop();
    }
  }

  /** Creates a claim and its volume as left by nfs-subdir-external-provisioner and Kubernetes. */
  private void createNfsSubdirObjects() throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "old",
          "annotations": {"pv.kubernetes.io/bind-completed": "yes", "pv.kubernetes.io/bound-by-controller": "yes",
           "volume.beta.kubernetes.io/storage-provisioner": "%1$s", "volume.kubernetes.io/storage-provisioner": "%1$s"},
          "finalizers": ["kubernetes.io/pvc-protection"]},
         "spec": {"accessModes": ["ReadWriteMany"], "storageClassName": "nfs-client", "volumeName": "pvc-old", "resources": {"requests": {"storage": "1Gi"}}},
         "status": {"phase": "Bound", "accessModes": ["ReadWriteMany"], "capacity": {"storage": "1Gi"}}}
        """
            .formatted(NFS));
    String uid =
        api.get("PersistentVolumeClaim", "default", "old")
            .getAsJsonObject("metadata")
            .get("uid")
            .getAsString();
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pvc-old",
          "annotations": {"pv.kubernetes.io/provisioned-by": "%s"}, "finalizers": ["kubernetes.io/pv-protection"]},
         "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"], "storageClassName": "nfs-client", "persistentVolumeReclaimPolicy": "Delete",
          "claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": "default", "name": "old", "uid": "%s"},
          "nfs": {"server": "10.0.0.1", "path": "/srv/k8s/default-old-pvc-old"}},
         "status": {"phase": "Bound"}}
        """
            .formatted(NFS, uid));
  }

  /** The class that the chart of nfs-subdir-external-provisioner creates. */
  private static final String CLASS =
      """
      {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "nfs-client"}, "provisioner": "%s",
       "reclaimPolicy": "Delete", "allowVolumeExpansion": true, "volumeBindingMode": "Immediate", "parameters": {"archiveOnDelete": "true"}}
      """
          .formatted(NFS);

  private JsonObject translatedClass() throws Exception {
    Path values =
        Files.writeString(
            folder.resolve("values.yaml"),
            "nfs: {server: 10.0.0.1, path: /srv/k8s}\nstorageClass: {provisionerName: "
                + NFS
                + "}\n");
    assertThat(Main.execute("migrate", "nfs-subdir", values.toString(), "--into=" + folder))
        .isZero();
    Object loaded = new Yaml().load(Files.readString(folder.resolve("mooring-class.yaml")));
    return new Gson().toJsonTree(loaded).getAsJsonObject();
  }

  @Test
  void migration_nfsSubdirAndBack_keepsVolumes() throws Exception {
    assertThat(translatedClass()).isEqualTo(JsonParser.parseString(CLASS));
    create(CLASS);
    createNfsSubdirObjects();
    Path export = Files.createDirectory(folder.resolve("export"));
    Path old = Files.createDirectory(export.resolve("default-old-pvc-old"));
    Files.writeString(old.resolve("data"), "kept");
    Map<String, String> before = allObjects();
    ControllerManager kubernetes = kubernetes();
    try {
      String exports = "--plugin-setting=nfs-exports=10.0.0.1:/srv/k8s=" + export;
      try (JavaProcess mooring =
          JavaProcess.mooring(
              "run",
              "--mode=beside",
              "--endpoints=off",
              "--kubeconfig=" + kubeconfig,
              "--plugins=" + Resources.plugins(),
              exports,
              "--plugin-setting=nfs-require-mount=false")) {
        mooring.awaitLine(line -> line.contains("running "));
        claim("new", "nfs-client", "");
        untilBound("new");
        TestWait.until(
            () -> "old volume is kept until its directory is handled",
            () -> api.get("PersistentVolume", "", "pvc-old").toString().contains(TAKEN_ON));
        mooring.stop();
      }
      assertThat(allObjects().get("PersistentVolumeClaim old"))
          .isEqualTo(before.get("PersistentVolumeClaim old"));
      JsonObject held =
          JsonParser.parseString(allObjects().get("PersistentVolume pvc-old")).getAsJsonObject();
      JsonArray finalizers = new JsonArray();
      finalizers.add("kubernetes.io/pv-protection");
      held.getAsJsonObject("metadata").add("finalizers", finalizers);
      assertThat(withoutWriteMetadata(held.toString()))
          .isEqualTo(withoutWriteMetadata(before.get("PersistentVolume pvc-old")));

      assertThat(uninstall("--give-back=" + NFS)).isZero();
      assertThat(withoutWriteMetadata(allObjects().get("PersistentVolume pvc-old")))
          .isEqualTo(withoutWriteMetadata(before.get("PersistentVolume pvc-old")));
      assertThat(allObjects().get("PersistentVolumeClaim old"))
          .isEqualTo(before.get("PersistentVolumeClaim old"));
      assertThat(allObjects().toString()).doesNotContain(TAKEN_ON, "volume-being-made");
      assertThat(old.resolve("data")).hasContent("kept");
    } finally {
      kubernetes.stop();
    }
  }
}
