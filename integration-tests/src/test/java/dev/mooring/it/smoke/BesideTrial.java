package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.cluster.RbacRule;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.it.RightsTrial;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/**
 * Tries the rights of mode {@code beside} with plugins that may run pods, and with protected
 * metrics. One volume is on this node and is expanded. One is on another node, which is deleted and
 * created again.
 */
final class BesideTrial implements RightsTrial {
  private static final String NAMESPACE = "mooring-helpers";
  private static final List<String> FLAGS =
      List.of(
          "--mode=beside",
          "--plugin-pods-namespace=" + NAMESPACE,
          "--provisioner-retry-interval-start=50ms",
          "--provisioner-retry-interval-max=300ms");

  /** A second process with full access that binds as kube-controller-manager does. */
  private static final List<String> BINDER =
      List.of(
          "--compat=kcm",
          "--endpoints=off",
          "--leader-elect=false",
          "--controllers=persistentvolume-binder,persistentvolume-expander,pvc-protection,pv-protection");

  @Override
  public List<RbacRule> rights() throws Exception {
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add("--endpoints=127.0.0.1:0");
    flags.add("--client-ca-file=/anybody");
    return RunFlags.rights(flags);
  }

  @Override
  public Stage stage(Path folder) throws Exception {
    return new BesideStage(folder);
  }

  private static final class BesideStage implements Stage {
    private final Path folder;
    private final RestrictedServer server;
    private final RestApi api;
    private final ControllerManager binder;
    private final SimulatedKubelet kubelet;

    BesideStage(Path folder) throws Exception {
      this.folder = folder;
      server = RestrictedServer.start(folder);
      api = server.admin();
      Path adminKubeconfig = Files.writeString(folder.resolve("all"), server.server().kubeconfig());
      binder =
          RunFlags.manager(
              BINDER,
              Files.createDirectory(folder.resolve("none")),
              KubeConnection.ofFiles(List.of(adminKubeconfig), "", "Java-http-client"));
      kubelet =
          new SimulatedKubelet(
              api,
              NAMESPACE,
              folder.resolve("disks"),
              Resources.plugins().resolve("plugins-local-path").resolve("plugins-local-path.jar"));
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
          {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "local"}, "provisioner": "mooring.dev/local", "allowVolumeExpansion": true}
          """);
      createNode("node-1");
      createNode("node-2");
    }

    private JsonObject create(String json) throws Exception {
      return api.create(JsonParser.parseString(json).getAsJsonObject());
    }

    private void createNode(String name) throws Exception {
      create(
          """
          {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%1$s", "labels": {"kubernetes.io/hostname": "%1$s"}},
           "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
          """
              .formatted(name));
    }

    @Override
    public RestrictedServer server() {
      return server;
    }

    private String[] commandLine(Path kubeconfig, int port) throws Exception {
      Path base = Files.createDirectories(folder.resolve("opt"));
      Path config =
          Files.writeString(
              folder.resolve("config.json"),
              "{\"nodePathMap\": [{\"node\": \"DEFAULT_PATH_FOR_NON_LISTED_NODES\", \"paths\": [\""
                  + base
                  + "\"]}]}");
      List<String> commandLine = new ArrayList<>(List.of("run"));
      commandLine.addAll(FLAGS);
      commandLine.addAll(
          List.of(
              "--endpoints=127.0.0.1:" + port,
              "--client-ca-file="
                  + Files.writeString(folder.resolve("ca.pem"), new CertificateAuthority().pem()),
              "--plugins=" + Resources.plugins(),
              "--plugin-setting=local-path-config=" + config,
              "--plugin-setting=local-path-node=node-1",
              "--plugin-setting=local-path-helper-image=mooring:1",
              "--plugin-setting=local-folder=" + Files.createDirectory(folder.resolve("local")),
              "--plugin-setting=local-node=node-1",
              "--kubeconfig=" + kubeconfig));
      return commandLine.toArray(String[]::new);
    }

    @Override
    public void play(Path kubeconfig, boolean awaitRepeat) throws Exception {
      int port = MetricsPort.findFree();
      binder.start();
      try (JavaProcess process = JavaProcess.startMooring(commandLine(kubeconfig, port))) {
        process.awaitLine(line -> line.contains("running "));
        createClaimOfUnknownSource();
        createClaim("far", "local-path", "node-2");
        kubelet.runNextPod();
        awaitCondition("claim is bound", () -> isBound("far"));
        expandClaim();
        deleteAndRecreateNode(awaitRepeat);
        String unprivilegedToken = server.unprivilegedToken();
        awaitCondition(
            "metrics require authorization",
            () -> MetricsPort.fetchStatus(port, unprivilegedToken) == 403);
        assertThat(process.stop()).as("Lease is released").isEqualTo(143);
      }
    }

    private void createClaim(String name, String className, String node) throws Exception {
      create(
          """
          {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s"},
           "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
          """
              .formatted(name, className));
      patchClaim(
          name,
          "{\"metadata\": {\"annotations\": {\"volume.kubernetes.io/selected-node\": \"%s\"}}}"
              .formatted(node));
    }

    private void createClaimOfUnknownSource() throws Exception {
      create(
          """
          {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "unknown"},
           "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": {"requests": {"storage": "1Gi"}},
            "dataSourceRef": {"apiGroup": "example.com", "kind": "Book", "name": "a"}}}
          """);
    }

    private void patchClaim(String claim, String patch) throws Exception {
      api.patch(
          "PersistentVolumeClaim",
          "default",
          claim,
          "",
          JsonParser.parseString(patch).getAsJsonObject());
    }

    private void expandClaim() throws Exception {
      createClaim("near", "local", "node-1");
      awaitCondition("claim is bound", () -> isBound("near"));
      patchClaim("near", "{\"spec\": {\"resources\": {\"requests\": {\"storage\": \"3Gi\"}}}}");
      awaitCondition(
          "claim is expanded",
          () -> claimStatus("near").contains("\"capacity\":{\"storage\":\"3Gi\"}"));
      api.delete("PersistentVolumeClaim", "default", "near", -1);
    }

    private void deleteAndRecreateNode(boolean awaitRepeat) throws Exception {
      api.delete("Node", "", "node-2", -1);
      api.delete("PersistentVolumeClaim", "default", "far", -1);
      awaitCondition(
          "event explains why the volume is kept",
          () -> hasEvent(event -> event.toString().contains("node node-2 no longer exists")));
      if (awaitRepeat) {
        awaitCondition(
            "event is repeated",
            () ->
                hasEvent(
                    event -> event.has("series") && event.toString().contains("no longer exists")));
      }
      createNode("node-2");
      kubelet.runNextPod();
      awaitCondition("all volumes are deleted", () -> api.list("PersistentVolume").isEmpty());
    }

    private boolean hasEvent(Predicate<JsonObject> condition) throws Exception {
      return api.list("Event").stream().anyMatch(condition);
    }

    private String claimStatus(String claim) throws Exception {
      return api.get("PersistentVolumeClaim", "default", claim).get("status").toString();
    }

    private boolean isBound(String claim) throws Exception {
      return claimStatus(claim).contains("\"phase\":\"Bound\"");
    }

    private void awaitCondition(String description, Callable<Boolean> condition) {
      TestWait.until(() -> description + "; " + listEvents(), condition);
    }

    private String listEvents() {
      try {
        return api.list("Event").toString();
      } catch (Exception e) {
        return String.valueOf(e);
      }
    }

    @Override
    public void close() throws Exception {
      binder.stop();
      server.close();
    }
  }
}
