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
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests node directories: on Mooring's own node, and through a helper pod on another node, with
 * exactly the rights that {@code rights} prints.
 */
class LocalPathTest {
  private static final String NAMESPACE = "mooring-helpers";

  @TempDir private Path folder;
  private Path baseFolder;
  private RestrictedServer server;
  private RestApi api;
  private ControllerManager manager;
  private SimulatedKubelet kubelet;

  @BeforeEach
  void start() throws Exception {
    baseFolder = Files.createDirectories(folder.resolve("opt"));
    Path config =
        Files.writeString(
            folder.resolve("config.json"),
            "{\"nodePathMap\": [{\"node\": \"DEFAULT_PATH_FOR_NON_LISTED_NODES\", \"paths\": [\""
                + baseFolder
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
    server = RestrictedServer.start(folder);
    api = server.admin();
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
    createNode("node-1");
    createNode("node-2");
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
                List.of(server.kubeconfig(folder, flags, right -> false)), "", "test"));
    manager.start();
  }

  @AfterEach
  void stop() throws Exception {
    manager.stop();
    server.close();
  }

  private JsonObject create(String json) throws Exception {
    return api.create(JsonParser.parseString(json).getAsJsonObject());
  }

  private void createNode(String name) throws Exception {
    create(
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%1$s", "labels": {"kubernetes.io/hostname": "host-of-%1$s"}},
         "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
        """
            .formatted(name));
  }

  /** Creates a claim whose pod is scheduled. */
  private String createScheduledClaim(
      String name, String className, String annotations, String node) throws Exception {
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
    JsonObject selectedNode =
        JsonParser.parseString(
                "{\"metadata\": {\"annotations\": {\"volume.kubernetes.io/selected-node\": \"%s\"}}}"
                    .formatted(node))
            .getAsJsonObject();
    api.patch("PersistentVolumeClaim", "default", name, "", selectedNode);
    return "pvc-" + uid;
  }

  private JsonObject awaitBoundVolume(String claim, String volume) throws Exception {
    TestWait.until(
        () -> claim + " is bound; " + listEvents(),
        () ->
            api.get("PersistentVolumeClaim", "default", claim)
                .toString()
                .contains("\"phase\":\"Bound\""));
    return api.get("PersistentVolume", "", volume);
  }

  private String listEvents() {
    try {
      return api.list("Event").toString();
    } catch (Exception e) {
      return String.valueOf(e);
    }
  }

  private boolean hasVolume(String volume) throws Exception {
    return api.list("PersistentVolume").stream()
        .anyMatch(
            object -> object.getAsJsonObject("metadata").get("name").getAsString().equals(volume));
  }

  private void awaitDeletion(String volume) {
    TestWait.until(() -> volume + " is deleted; " + listEvents(), () -> !hasVolume(volume));
  }

  @Test
  void volume_onOwnNode_needsNoPod() throws Exception {
    String volume = createScheduledClaim("data", "local-path", "", "node-1");
    JsonObject stored = awaitBoundVolume("data", volume);
    JsonObject spec = stored.getAsJsonObject("spec");
    Path directory = baseFolder.resolve(volume + "_default_data");
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
    assertThat(stored.getAsJsonObject("metadata").getAsJsonObject("annotations").toString())
        .contains(
            "\"local.path.provisioner/selected-node\":\"node-1\"",
            "\"pv.kubernetes.io/provisioned-by\":\"rancher.io/local-path\"");
    assertThat(directory).isDirectory();
    Files.writeString(directory.resolve("data"), "x");

    api.delete("PersistentVolumeClaim", "default", "data", -1);
    awaitDeletion(volume);
    assertThat(baseFolder).isEmptyDirectory();
    assertThat(api.list("Pod")).isEmpty();
    assertThat(server.forbiddenRequests()).isEmpty();
  }

  @Test
  void volume_onOtherNode_isCreatedAndDeletedByPods() throws Exception {
    String oddName = "$$(x) $(KUBERNETES_SERVICE_HOST);touch y";
    String volume =
        createScheduledClaim("data", "by-pattern", "\"folder\": \"" + oddName + "\"", "node-2");
    kubelet.runNextPod();
    JsonObject spec = awaitBoundVolume("data", volume).getAsJsonObject("spec");
    String path = baseFolder + "/default/data/" + oddName;
    assertThat(spec.getAsJsonObject("local").get("path").getAsString()).isEqualTo(path);
    Path nodeDisk = folder.resolve("disks/node-2" + baseFolder);
    assertThat(nodeDisk.resolve("default/data").resolve(oddName)).isDirectory();
    Files.writeString(nodeDisk.resolve("default/data").resolve(oddName).resolve("data"), "x");
    TestWait.until("pod is deleted", () -> api.list("Pod").isEmpty());

    api.delete("PersistentVolumeClaim", "default", "data", -1);
    kubelet.runNextPod();
    awaitDeletion(volume);
    assertThat(nodeDisk.resolve("default/data")).isEmptyDirectory();
    assertThat(baseFolder).isEmptyDirectory();
    assertThat(api.list("Pod")).isEmpty();
    assertThat(kubelet.pods()).hasSize(2);
    assertThat(server.forbiddenRequests()).isEmpty();
    assertThat(server.usedRights())
        .contains("get nodes", "create pods in " + NAMESPACE, "delete pods in " + NAMESPACE);
  }

  @Test
  void uninstall_helperPod_isDeleted() throws Exception {
    String volume = createScheduledClaim("data", "local-path", "", "node-2");
    TestWait.until("pod is created", () -> !api.list("Pod").isEmpty());
    String kubeconfig =
        "--kubeconfig=" + Files.writeString(folder.resolve("all"), server.server().kubeconfig());
    String namespace = "--plugin-pods-namespace=" + NAMESPACE;
    assertThat(Main.execute("uninstall", kubeconfig, namespace, "--dry-run")).isEqualTo(3);
    assertThat(podsBeingDeleted()).isEmpty();
    assertThat(Main.execute("uninstall", kubeconfig, namespace, "--yes")).isZero();
    assertThat(podsBeingDeleted()).containsExactly("mooring-local-path-" + volume);
    // simulates the kubelet, which stops the running pod; the plugin starts another
    api.delete("Pod", NAMESPACE, "mooring-local-path-" + volume, 0);
    kubelet.runNextPod();
    awaitBoundVolume("data", volume);
  }

  private List<String> podsBeingDeleted() throws Exception {
    return api.list("Pod").stream()
        .map(pod -> pod.getAsJsonObject("metadata"))
        .filter(metadata -> metadata.has("deletionTimestamp"))
        .map(metadata -> metadata.get("name").getAsString())
        .toList();
  }

  @Test
  void volume_nodeDeleted_isKeptUntilNodeReturns() throws Exception {
    String volume = createScheduledClaim("data", "local-path", "", "node-2");
    kubelet.runNextPod();
    awaitBoundVolume("data", volume);
    api.delete("Node", "", "node-2", -1);
    api.delete("PersistentVolumeClaim", "default", "data", -1);
    TestWait.until(
        () -> "event names the deleted node; " + listEvents(),
        () ->
            listEvents().contains("node node-2 no longer exists")
                && listEvents().contains("VolumeFailedDelete"));
    assertThat(api.get("PersistentVolume", "", volume).toString()).contains("Released");
    assertThat(server.usedRights()).contains("list nodes");
    // the plugin finds the node under its new name by the label in the volume's node affinity
    create(
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-2b", "labels": {"kubernetes.io/hostname": "host-of-node-2"}},
         "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
        """);
    kubelet.runNextPod();
    awaitDeletion(volume);
    assertThat(kubelet.pods().getLast().getAsJsonObject("spec").get("nodeName").getAsString())
        .isEqualTo("node-2b");
  }
}
