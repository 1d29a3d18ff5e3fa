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
 * Mode {@code beside} with plugins that may run pods and with protected metrics: volumes are
 * provisioned on this node and on another one that disappears and returns; one is expanded.
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
    return new Beside(folder);
  }

  private static final class Beside implements Stage {
    private final Path folder;
    private final RestrictedServer granted;
    private final RestApi api;
    private final ControllerManager binder;
    private final SimulatedKubelet kubelet;

    Beside(Path folder) throws Exception {
      this.folder = folder;
      granted = RestrictedServer.start(folder);
      api = granted.admin();
      Path all = Files.writeString(folder.resolve("all"), granted.server().kubeconfig());
      binder =
          RunFlags.manager(
              BINDER,
              Files.createDirectory(folder.resolve("none")),
              KubeConnection.ofFiles(List.of(all), "", "Java-http-client"));
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
      node("node-1");
      node("node-2");
    }

    private JsonObject create(String json) throws Exception {
      return api.create(JsonParser.parseString(json).getAsJsonObject());
    }

    private void node(String name) throws Exception {
      create(
          """
          {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%1$s", "labels": {"kubernetes.io/hostname": "%1$s"}},
           "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
          """
              .formatted(name));
    }

    @Override
    public RestrictedServer granted() {
      return granted;
    }

    private String[] args(Path kubeconfig, int port) throws Exception {
      Path base = Files.createDirectories(folder.resolve("opt"));
      Path config =
          Files.writeString(
              folder.resolve("config.json"),
              "{\"nodePathMap\": [{\"node\": \"DEFAULT_PATH_FOR_NON_LISTED_NODES\", \"paths\": [\""
                  + base
                  + "\"]}]}");
      List<String> args = new ArrayList<>(List.of("run"));
      args.addAll(FLAGS);
      args.addAll(
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
      return args.toArray(String[]::new);
    }

    @Override
    public void play(Path kubeconfig, boolean awaitRepeat) throws Exception {
      int port = MetricsPort.free();
      binder.start();
      try (JavaProcess process = JavaProcess.mooring(args(kubeconfig, port))) {
        process.awaitLine(line -> line.contains("running "));
        claim("far", "local-path", "node-2");
        kubelet.runOne();
        until("claim is bound", () -> isBound("far"));
        grows();
        goesAndComesBack(awaitRepeat);
        String unprivilegedToken = granted.unprivilegedToken();
        until(
            "metrics require authorization",
            () -> MetricsPort.code(port, unprivilegedToken) == 403);
        assertThat(process.stop()).as("Lease is released").isEqualTo(143);
      }
    }

    private void claim(String name, String className, String node) throws Exception {
      create(
          """
          {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s"},
           "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
          """
              .formatted(name, className));
      change(
          name,
          "{\"metadata\": {\"annotations\": {\"volume.kubernetes.io/selected-node\": \"%s\"}}}"
              .formatted(node));
    }

    private void change(String claim, String patch) throws Exception {
      api.patch(
          "PersistentVolumeClaim",
          "default",
          claim,
          "",
          JsonParser.parseString(patch).getAsJsonObject());
    }

    private void grows() throws Exception {
      claim("near", "local", "node-1");
      until("claim is bound", () -> isBound("near"));
      change("near", "{\"spec\": {\"resources\": {\"requests\": {\"storage\": \"3Gi\"}}}}");
      until(
          "claim is expanded", () -> status("near").contains("\"capacity\":{\"storage\":\"3Gi\"}"));
      api.delete("PersistentVolumeClaim", "default", "near", -1);
    }

    private void goesAndComesBack(boolean awaitRepeat) throws Exception {
      api.delete("Node", "", "node-2", -1);
      api.delete("PersistentVolumeClaim", "default", "far", -1);
      until(
          "event explains why the volume is kept",
          () -> hasEvent(event -> event.toString().contains("node node-2 no longer exists")));
      if (awaitRepeat) {
        until(
            "event is repeated",
            () ->
                hasEvent(
                    event -> event.has("series") && event.toString().contains("no longer exists")));
      }
      node("node-2");
      kubelet.runOne();
      until("all objects are deleted", () -> api.list("PersistentVolume").isEmpty());
    }

    private boolean hasEvent(Predicate<JsonObject> wanted) throws Exception {
      return api.list("Event").stream().anyMatch(wanted);
    }

    private String status(String claim) throws Exception {
      return api.get("PersistentVolumeClaim", "default", claim).get("status").toString();
    }

    private boolean isBound(String claim) throws Exception {
      return status(claim).contains("\"phase\":\"Bound\"");
    }

    private void until(String description, Callable<Boolean> condition) {
      TestWait.until(() -> description + "; " + events(), condition);
    }

    private String events() {
      try {
        return api.list("Event").toString();
      } catch (Exception e) {
        return String.valueOf(e);
      }
    }

    @Override
    public void close() throws Exception {
      binder.stop();
      granted.close();
    }
  }
}
