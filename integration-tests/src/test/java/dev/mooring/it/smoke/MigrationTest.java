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
import org.yaml.snakeyaml.Yaml;

/** Follows the guides {@code docs/migrate-from-…} to Mooring and back; no volume changes. */
class MigrationTest extends MigrationFixture {
  private static final String NFS = "k8s-sigs.io/nfs-subdir-external-provisioner";

  private JsonObject createClaim(String name, String className, String volume) throws Exception {
    return create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s"},
         "spec": {"accessModes": ["ReadWriteMany"], "storageClassName": "%s", "volumeName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, className, volume));
  }

  private void createVolume(String name, String specMembers) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s", "annotations": {"note": "mine"}},
         "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"], "storageClassName": "manual",
          "nfs": {"server": "10.0.0.9", "path": "/exports/%s"}%s}}
        """
            .formatted(name, name, specMembers));
  }

  @Test
  void migration_kcmAndBack_writesNoObject() throws Exception {
    ControllerManager kubernetesBinder = startKubernetesBinder();
    createVolume("bound", "");
    createVolume("kept", ", \"claimRef\": {\"namespace\": \"default\", \"name\": \"later\"}");
    createClaim("data", "manual", "");
    awaitBound("data");
    createClaim("hopes", "manual", "not-there");
    TestWait.until(
        () -> "reserved volume is available, claim is protected",
        () ->
            api.get("PersistentVolume", "", "kept").toString().contains("Available")
                && api.get("PersistentVolumeClaim", "default", "hopes")
                    .toString()
                    .contains("pvc-protection"));
    kubernetesBinder.stop();
    Map<String, String> objectsBefore = allObjects();

    try (JavaProcess mooring =
        JavaProcess.startMooring(
            "run", "--mode=replace", "--endpoints=off", "--kubeconfig=" + kubeconfig)) {
      mooring.awaitLine(line -> line.contains("running "));
      createVolume("ours", "");
      createClaim("new", "manual", "");
      awaitBound("new");
      assertUnchanged(objectsBefore);
      mooring.stop();
    }
    Map<String, String> objectsOfMooring = allObjects();
    assertThat(uninstall()).isZero();
    assertUnchanged(objectsOfMooring);
    assertThat(api.list("Lease")).isEmpty();

    ControllerManager restartedBinder = startKubernetesBinder();
    try {
      createVolume("theirs", "");
      createClaim("newer", "manual", "");
      awaitBound("newer");
      assertUnchanged(objectsBefore);
    } finally {
      restartedBinder.stop();
    }
  }

  /** Creates a claim and a volume as nfs-subdir-external-provisioner and Kubernetes leave them. */
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

  private JsonObject runMigrateCommand() throws Exception {
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
    assertThat(runMigrateCommand()).isEqualTo(JsonParser.parseString(CLASS));
    create(CLASS);
    createNfsSubdirObjects();
    Path export = Files.createDirectory(folder.resolve("export"));
    Path oldDirectory = Files.createDirectory(export.resolve("default-old-pvc-old"));
    Files.writeString(oldDirectory.resolve("data"), "kept");
    Map<String, String> objectsBefore = allObjects();
    ControllerManager kubernetesBinder = startKubernetesBinder();
    try {
      String exportSetting = "--plugin-setting=nfs-exports=10.0.0.1:/srv/k8s=" + export;
      try (JavaProcess mooring =
          JavaProcess.startMooring(
              "run",
              "--mode=beside",
              "--endpoints=off",
              "--kubeconfig=" + kubeconfig,
              "--plugins=" + Resources.plugins(),
              exportSetting,
              "--plugin-setting=nfs-require-mount=false")) {
        mooring.awaitLine(line -> line.contains("running "));
        createClaim("new", "nfs-client", "");
        awaitBound("new");
        TestWait.until(
            () -> "old volume has the finalizer of the provisioner",
            () ->
                api.get("PersistentVolume", "", "pvc-old")
                    .toString()
                    .contains(PROVISIONER_FINALIZER));
        TestWait.until(
            "the provisioner has removed its marks from the claim",
            () ->
                !api.get("PersistentVolumeClaim", "default", "new")
                    .toString()
                    .contains("volume-being-made"));
        mooring.stop();
      }
      assertThat(allObjects().get("PersistentVolumeClaim old"))
          .isEqualTo(objectsBefore.get("PersistentVolumeClaim old"));
      JsonObject volume =
          JsonParser.parseString(allObjects().get("PersistentVolume pvc-old")).getAsJsonObject();
      JsonArray finalizers = new JsonArray();
      finalizers.add("kubernetes.io/pv-protection");
      volume.getAsJsonObject("metadata").add("finalizers", finalizers);
      assertThat(withoutWriteMetadata(volume.toString()))
          .isEqualTo(withoutWriteMetadata(objectsBefore.get("PersistentVolume pvc-old")));

      assertThat(uninstall("--give-back=" + NFS)).isZero();
      assertThat(withoutWriteMetadata(allObjects().get("PersistentVolume pvc-old")))
          .isEqualTo(withoutWriteMetadata(objectsBefore.get("PersistentVolume pvc-old")));
      assertThat(allObjects().get("PersistentVolumeClaim old"))
          .isEqualTo(objectsBefore.get("PersistentVolumeClaim old"));
      assertThat(allObjects().toString())
          .doesNotContain(PROVISIONER_FINALIZER, "volume-being-made");
      assertThat(oldDirectory.resolve("data")).hasContent("kept");
    } finally {
      kubernetesBinder.stop();
    }
  }
}
