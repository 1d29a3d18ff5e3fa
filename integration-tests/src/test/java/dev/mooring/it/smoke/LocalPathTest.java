package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.Main;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests node directories: on Mooring's own node, and through a helper pod on another one, with
 * exactly the rights that {@code rights} prints.
 */
@Timeout(300)
class LocalPathTest {
  private static final String NAMESPACE = "mooring-helpers";

  @TempDir private Path folder;
  private Path base;
  private RestrictedServer granted;
  private RestApi api;
  private ControllerManager manager;
  private SimulatedKubelet kubelet;

  @BeforeEach
  void start() throws Exception {
    base = Files.createDirectories(folder.resolve("opt"));
    Path config =
        Files.writeString(
            folder.resolve("config.json"),
            "{\"nodePathMap\": [{\"node\": \"DEFAULT_PATH_FOR_NON_LISTED_NODES\", \"paths\": [\""
                + base
                + "\"]}]}");
    Path plugins = Resources.plugins();
    List<String> flags =
        List.of(
            "--endpoints=off",
            "--leader-elect=false",
            "--plugin-pods-namespace=" + NAMESPACE,
            "--provisioner-retry-interval-start=50ms",
            "--plugin-setting=local-path-config=" + config,
            "--plugin-setting=local-path-node=node-1",
            "--plugin-setting=local-path-helper-image=mooring:1");
    granted = RestrictedServer.start(folder);
    api = granted.admin();
    create(
        "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"%s\"}}"
            .formatted(NAMESPACE));
    create(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "local-path"}, "provisioner": "rancher.io/local-path",
         "volumeBindingMode": "WaitForFirstConsumer", "reclaimPolicy": "Delete"}
        """);
    create(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "by-pattern", "annotations": {"defaultVolumeType": "local"}},
         "provisioner": "rancher.io/local-path", "volumeBindingMode": "WaitForFirstConsumer", "reclaimPolicy": "Delete",
         "parameters": {"pathPattern": "{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{ .PVC.Annotations.folder }}"}}
        """);
    node("node-1");
    node("node-2");
    kubelet =
        new SimulatedKubelet(
            api,
            NAMESPACE,
            folder.resolve("disks"),
            plugins.resolve("plugins-local-path").resolve("plugins-local-path.jar"));
    manager =
        RunFlags.manager(
            flags,
            plugins,
            KubeConnection.ofFiles(
                List.of(granted.kubeconfig(folder, flags, right -> false)), "", "test"));
    manager.start();
  }

  @AfterEach
  void stop() throws Exception {
    manager.stop();
    granted.close();
  }

  private JsonObject create(String json) throws Exception {
    return api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  private void node(String name) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%1$s", "labels": {"kubernetes.io/hostname": "host-of-%1$s"}},
         "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
        """
            .formatted(name));
  }

  /** Creates a claim whose pod is scheduled. */
  private String claim(String name, String className, String annotations, String node)
      throws Exception {
    String uid =
        create(
                """
                {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s", "annotations": {%s}},
                 "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
                """
                    .formatted(name, annotations, className))
            .getAsJsonObject("metadata")
            .get("uid")
            .getAsString();
    JsonObject selected =
        JsonParser.parseString(
                "{\"metadata\": {\"annotations\": {\"volume.kubernetes.io/selected-node\": \"%s\"}}}"
                    .formatted(node))
            .getAsJsonObject();
    api.patch("PersistentVolumeClaim", "default", name, "", selected);
    return "pvc-" + uid;
  }

  private JsonObject bound(String claim, String volume) throws Exception {
    TestWait.until(
        () -> claim + " is bound; " + events(),
        () ->
            api.get("PersistentVolumeClaim", "default", claim)
                .toString()
                .contains("\"phase\":\"Bound\""));
    return api.get("PersistentVolume", "", volume);
  }

  private String events() {
    try {
      return api.list("Event").toString();
    } catch (Exception e) {
      return String.valueOf(e);
    }
  }

  private boolean isThere(String volume) throws Exception {
    return api.list("PersistentVolume").stream()
        .anyMatch(one -> one.getAsJsonObject("metadata").get("name").getAsString().equals(volume));
  }

  private void untilGone(String volume) {
    TestWait.until(() -> volume + " is gone; " + events(), () -> !isThere(volume));
  }

  @Test
  void ownNode_directory_needsNoPod() throws Exception {
    String volume = claim("data", "local-path", "", "node-1");
    JsonObject made = bound("data", volume);
    JsonObject spec = made.getAsJsonObject("spec");
    Path directory = base.resolve(volume + "_default_data");
    assertThat(spec.getAsJsonObject("hostPath"))
        .isEqualTo(
            JsonParser.parseString(
                "{\"path\": \"%s\", \"type\": \"DirectoryOrCreate\"}".formatted(directory)));
    assertThat(spec.getAsJsonObject("nodeAffinity"))
        .isEqualTo(
            JsonParser.parseString(
                """
                {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["host-of-node-1"]}]}]}}
                """));
    assertThat(spec.get("persistentVolumeReclaimPolicy").getAsString()).isEqualTo("Delete");
    assertThat(made.getAsJsonObject("metadata").getAsJsonObject("annotations").toString())
        .contains(
            "\"local.path.provisioner/selected-node\":\"node-1\"",
            "\"pv.kubernetes.io/provisioned-by\":\"rancher.io/local-path\"");
    assertThat(directory).isDirectory();
    Files.writeString(directory.resolve("data"), "x");

    api.delete("PersistentVolumeClaim", "default", "data", -1);
    untilGone(volume);
    assertThat(base).isEmptyDirectory();
    assertThat(api.list("Pod")).isEmpty();
    assertThat(granted.refused()).isEmpty();
  }

  @Test
  void otherNode_directory_isMadeByPod() throws Exception {
    String odd = "$$(x) $(KUBERNETES_SERVICE_HOST);touch y";
    String volume = claim("data", "by-pattern", "\"folder\": \"" + odd + "\"", "node-2");
    kubelet.runOne();
    JsonObject spec = bound("data", volume).getAsJsonObject("spec");
    String path = base + "/default/data/" + odd;
    assertThat(spec.getAsJsonObject("local").get("path").getAsString()).isEqualTo(path);
    Path disk = folder.resolve("disks/node-2" + base);
    assertThat(disk.resolve("default/data").resolve(odd)).isDirectory();
    Files.writeString(disk.resolve("default/data").resolve(odd).resolve("data"), "x");
    TestWait.until("pod is deleted", () -> api.list("Pod").isEmpty());

    api.delete("PersistentVolumeClaim", "default", "data", -1);
    kubelet.runOne();
    untilGone(volume);
    assertThat(disk.resolve("default/data")).isEmptyDirectory();
    assertThat(base).isEmptyDirectory();
    assertThat(api.list("Pod")).isEmpty();
    assertThat(kubelet.pods()).hasSize(2);
    assertThat(granted.refused()).isEmpty();
    assertThat(granted.used())
        .contains("get nodes", "create pods in " + NAMESPACE, "delete pods in " + NAMESPACE);
  }

  @Test
  void helperPods_areKnownToUninstall() throws Exception {
    String volume = claim("data", "local-path", "", "node-2");
    TestWait.until("pod is created", () -> !api.list("Pod").isEmpty());
    String kubeconfig =
        "--kubeconfig=" + Files.writeString(folder.resolve("all"), granted.server().kubeconfig());
    String namespace = "--plugin-pods-namespace=" + NAMESPACE;
    assertThat(Main.execute("uninstall", kubeconfig, namespace, "--dry-run")).isEqualTo(3);
    assertThat(podsBeingDeleted()).isEmpty();
    assertThat(Main.execute("uninstall", kubeconfig, namespace, "--yes")).isZero();
    assertThat(podsBeingDeleted()).containsExactly("mooring-local-path-" + volume);
    // simulates the kubelet, which stops the running pod; the plugin starts another
    api.delete("Pod", NAMESPACE, "mooring-local-path-" + volume, 0);
    kubelet.runOne();
    bound("data", volume);
  }

  private List<String> podsBeingDeleted() throws Exception {
    return api.list("Pod").stream()
        .map(pod -> pod.getAsJsonObject("metadata"))
        .filter(metadata -> metadata.has("deletionTimestamp"))
        .map(metadata -> metadata.get("name").getAsString())
        .toList();
  }

  @Test
  void nodeDeleted_volume_isKeptWithEvent() throws Exception {
    String volume = claim("data", "local-path", "", "node-2");
    kubelet.runOne();
    bound("data", volume);
    api.delete("Node", "", "node-2", -1);
    api.delete("PersistentVolumeClaim", "default", "data", -1);
    TestWait.until(
        () -> "event with the reason; " + events(),
        () ->
            events().contains("node node-2 no longer exists")
                && events().contains("VolumeFailedDelete"));
    assertThat(api.get("PersistentVolume", "", volume).toString()).contains("Released");
    assertThat(granted.used()).contains("list nodes");
    // a node that returns under another name is found by the label in the volume's node affinity
    create(
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-2b", "labels": {"kubernetes.io/hostname": "host-of-node-2"}},
         "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
        """);
    kubelet.runOne();
    untilGone(volume);
    assertThat(kubelet.pods().getLast().getAsJsonObject("spec").get("nodeName").getAsString())
        .isEqualTo("node-2b");
  }
}
