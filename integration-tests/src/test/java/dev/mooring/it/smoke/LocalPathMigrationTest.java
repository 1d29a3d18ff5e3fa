package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.manager.Main;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.storage.decide.VolumeOrigin;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * Follows {@code docs/migrate-from-local-path.md} to Mooring and back, with objects as
 * local-path-provisioner writes them. Existing volumes do not change.
 */
class LocalPathMigrationTest extends MigrationFixture {
  private static final String LOCAL_PATH = "rancher.io/local-path";

  /** Creates a claim and its volume as local-path-provisioner and Kubernetes leave them. */
  private void createLocalPathObjects(Path base) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "old",
          "annotations": {"pv.kubernetes.io/bind-completed": "yes", "pv.kubernetes.io/bound-by-controller": "yes",
           "volume.beta.kubernetes.io/storage-provisioner": "%1$s", "volume.kubernetes.io/selected-node": "node-1", "volume.kubernetes.io/storage-provisioner": "%1$s"},
          "finalizers": ["kubernetes.io/pvc-protection"]},
         "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "local-path", "volumeName": "pvc-old", "resources": {"requests": {"storage": "1Gi"}}},
         "status": {"phase": "Bound", "accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}}}
        """
            .formatted(LOCAL_PATH));
    String uid =
        api.get("PersistentVolumeClaim", "default", "old")
            .getAsJsonObject("metadata")
            .get("uid")
            .getAsString();
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pvc-old",
          "annotations": {"local.path.provisioner/selected-node": "node-1", "pv.kubernetes.io/provisioned-by": "%s"}, "finalizers": ["kubernetes.io/pv-protection"]},
         "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "local-path", "persistentVolumeReclaimPolicy": "Delete", "volumeMode": "Filesystem",
          "claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": "default", "name": "old", "uid": "%s"},
          "hostPath": {"path": "%s/pvc-old_default_old", "type": "DirectoryOrCreate"},
          "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["node-1"]}]}]}}},
         "status": {"phase": "Bound"}}
        """
            .formatted(LOCAL_PATH, uid, base));
  }

  /** Returns the fields of a volume that local-path-provisioner reads when it deletes a volume. */
  private JsonObject deletionFields(String volume) throws Exception {
    JsonObject object = api.get("PersistentVolume", "", volume);
    JsonObject spec = object.getAsJsonObject("spec").deepCopy();
    spec.remove("claimRef");
    spec.getAsJsonObject("hostPath").remove("path");
    JsonObject annotations = object.getAsJsonObject("metadata").getAsJsonObject("annotations");
    JsonObject readAnnotations = annotations.deepCopy();
    readAnnotations.remove(VolumeOrigin.MADE_AT); // only Mooring reads it
    spec.add("annotations", readAnnotations);
    return spec;
  }

  private void awaitDeletion(String volume) {
    TestWait.until(
        () -> volume + " is deleted",
        () -> allObjects().keySet().stream().noneMatch(key -> key.endsWith(" " + volume)));
  }

  /** Runs {@code mooring migrate local-path} and returns the new configuration file. */
  private Path runMigrateCommand(Path base) throws Exception {
    JsonObject oldConfigMap = new JsonObject();
    oldConfigMap.addProperty("kind", "ConfigMap");
    JsonObject data = new JsonObject();
    data.addProperty(
        "config.json",
        "{\"typo\": 1, \"setupCommand\": \"/x\", \"nodePathMap\": [{\"node\": \"DEFAULT_PATH_FOR_NON_LISTED_NODES\", \"paths\": [\""
            + base
            + "/\"]}]}");
    oldConfigMap.add("data", data);
    Path objects = Files.writeString(folder.resolve("theirs.yaml"), oldConfigMap.toString());
    JsonObject oldClass = api.get("StorageClass", "", "local-path");
    Path classes = Files.writeString(folder.resolve("classes.yaml"), oldClass.toString());
    assertThat(
            Main.execute(
                "migrate",
                "local-path",
                objects.toString(),
                classes.toString(),
                "--into=" + folder))
        .isZero();
    Map<?, ?> newClass = new Yaml().load(Files.readString(folder.resolve("mooring-class.yaml")));
    assertThat(newClass.get("provisioner")).isEqualTo(LOCAL_PATH);
    Map<?, ?> newConfigMap =
        new Yaml().load(Files.readString(folder.resolve("mooring-config.yaml")));
    return Files.writeString(
        folder.resolve("config.json"),
        ((Map<?, ?>) newConfigMap.get("data")).get("config.json").toString());
  }

  @Test
  void migration_localPathAndBack_keepsVolumes() throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1", "labels": {"kubernetes.io/hostname": "node-1"}}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
        """);
    create(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "local-path"}, "provisioner": "%s", "reclaimPolicy": "Delete", "volumeBindingMode": "WaitForFirstConsumer"}
        """
            .formatted(LOCAL_PATH));
    Path base = Files.createDirectory(folder.resolve("opt"));
    Path oldDirectory = Files.createDirectory(base.resolve("pvc-old_default_old"));
    Files.writeString(oldDirectory.resolve("data"), "kept");
    createLocalPathObjects(base);
    Path config = runMigrateCommand(base);
    Map<String, String> objectsBefore = allObjects();
    ControllerManager kubernetesBinder = startKubernetesBinder();
    try {
      try (JavaProcess mooring = startMooring(config)) {
        mooring.awaitLine(line -> line.contains("running "));
        createBoundClaim("new");
        createBoundClaim("brief");
        TestWait.until(
            () -> "old volume has the finalizer of the provisioner",
            () ->
                api.get("PersistentVolume", "", "pvc-old")
                    .toString()
                    .contains(PROVISIONER_FINALIZER));
        String newVolume = volumeOf("new");
        assertThat(deletionFields(newVolume))
            .as("fields equal those of local-path-provisioner")
            .isEqualTo(deletionFields("pvc-old"));
        assertThat(base.resolve(newVolume + "_default_new")).isDirectory();
        String deletedVolume = volumeOf("brief");
        api.delete("PersistentVolumeClaim", "default", "brief", -1);
        awaitDeletion(deletedVolume);
        mooring.stop();
      }
      assertThat(uninstall("--give-back=" + LOCAL_PATH)).isZero();
      assertThat(withoutWriteMetadata(allObjects().get("PersistentVolume pvc-old")))
          .isEqualTo(withoutWriteMetadata(objectsBefore.get("PersistentVolume pvc-old")));
      assertThat(allObjects().get("PersistentVolumeClaim old"))
          .isEqualTo(objectsBefore.get("PersistentVolumeClaim old"));
      assertThat(allObjects().toString())
          .doesNotContain(PROVISIONER_FINALIZER, "volume-being-made");
      assertThat(oldDirectory.resolve("data")).hasContent("kept");

      // final switch: deleting a claim also deletes a volume that local-path-provisioner created
      try (JavaProcess mooring = startMooring(config)) {
        mooring.awaitLine(line -> line.contains("running "));
        api.delete("PersistentVolumeClaim", "default", "old", -1);
        awaitDeletion("pvc-old");
        assertThat(oldDirectory).doesNotExist();
        mooring.stop();
      }
    } finally {
      kubernetesBinder.stop();
    }
  }

  private JavaProcess startMooring(Path config) throws Exception {
    return JavaProcess.startMooring(
        "run",
        "--mode=beside",
        "--endpoints=off",
        "--kubeconfig=" + kubeconfig,
        "--plugins=" + Resources.plugins(),
        "--plugin-pods-namespace=default",
        "--plugin-setting=local-path-config=" + config,
        "--plugin-setting=local-path-node=node-1");
  }

  private void createBoundClaim(String name) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s"},
         "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "local-path", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name));
    api.patch(
        "PersistentVolumeClaim",
        "default",
        name,
        "",
        JsonParser.parseString(
                "{\"metadata\": {\"annotations\": {\"volume.kubernetes.io/selected-node\": \"node-1\"}}}")
            .getAsJsonObject());
    awaitBound(name);
  }

  private String volumeOf(String claim) throws Exception {
    return api.get("PersistentVolumeClaim", "default", claim)
        .getAsJsonObject("spec")
        .get("volumeName")
        .getAsString();
  }
}
