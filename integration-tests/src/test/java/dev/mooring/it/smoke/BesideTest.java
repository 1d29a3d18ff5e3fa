package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.http.Verbs;
import dev.mooring.apiserver.http.WriteOptions;
import dev.mooring.apiserver.kinds.Catalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.Manager;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A plugin's provisioner in a process of its own, beside another one that binds as
 * kube-controller-manager does and has no plugins.
 */
@Timeout(120)
class BesideTest {
  private static final String NFS = "k8s-sigs.io/nfs-subdir-external-provisioner";

  @TempDir private Path folder;
  private ApiServer server;
  private Verbs verbs;
  private Path export;
  private final List<Manager> managers = new ArrayList<>();

  @BeforeEach
  void startBoth() throws Exception {
    export = Files.createDirectory(folder.resolve("export"));
    server = ApiServer.start(ApiServer.Config.DEFAULTS);
    verbs = server.verbs();
    start(
        Files.createDirectory(folder.resolve("none")),
        "--compat=kcm",
        "--controllers=persistentvolume-binder,pvc-protection,pv-protection");
    start(
        Resources.plugins(),
        "--mode=beside",
        "--provisioner-retry-interval-start=50ms",
        "--plugin-setting=nfs-exports=nfs.example.com:/srv=" + export,
        "--plugin-setting=nfs-require-mount=false");
  }

  private void start(Path plugins, String... flags) throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    List<String> all = new ArrayList<>(List.of("--endpoints=off", "--leader-elect=false"));
    all.addAll(List.of(flags));
    Manager manager =
        RunFlags.manager(all, plugins, KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
    managers.add(manager);
    manager.start();
  }

  @AfterEach
  void stop() throws Exception {
    for (Manager manager : managers) {
      manager.stop();
    }
    server.close();
  }

  private void create(ResourceType type, String json) throws Problem {
    verbs.create(
        type,
        type.namespaced() ? "default" : "",
        JsonParser.parseString(json).getAsJsonObject(),
        WriteOptions.PLAIN);
  }

  private void classNamed(String name, String provisioner, String parameters) throws Problem {
    create(
        Catalogue.CLASSES,
        """
        {"metadata": {"name": "%s"}, "provisioner": "%s", "reclaimPolicy": "Delete", "mountOptions": ["nfsvers=4.2"], "parameters": %s}
        """
            .formatted(name, provisioner, parameters));
  }

  private void claim(String name, String className, String more) throws Problem {
    create(
        Catalogue.CLAIMS,
        """
        {"metadata": {"name": "%s", "annotations": {"team": "a"}}, "spec": {"accessModes": ["ReadWriteMany"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}%s}}
        """
            .formatted(name, className, more));
  }

  private void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(() -> what + "; there is " + state()).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private String state() {
    StringBuilder all = new StringBuilder();
    for (ResourceType type : List.of(Catalogue.CLAIMS, Catalogue.VOLUMES, Catalogue.EVENTS)) {
      verbs.store(type).list("").objects().forEach(o -> all.append('\n').append(o.tree()));
    }
    return all.toString();
  }

  private String phase(String claim) throws Problem {
    return JsonBodies.text(verbs.get(Catalogue.CLAIMS, "default", claim).tree(), "status", "phase");
  }

  private boolean isBound(String claim) {
    try {
      return phase(claim).equals("Bound");
    } catch (Problem gone) {
      return false;
    }
  }

  private boolean isTold(String claim, String reason, String text) {
    return verbs.store(Catalogue.EVENTS).list("").objects().stream()
        .anyMatch(e ->
            JsonBodies.text(e.tree(), "involvedObject", "name").equals(claim)
                && JsonBodies.text(e.tree(), "reason").equals(reason)
                && JsonBodies.text(e.tree(), "message").contains(text));
  }

  @Test
  void aClaimGetsADirectoryAndGivesItBack() throws Exception {
    classNamed(
        "nfs",
        NFS,
        "{\"pathPattern\": \"${.PVC.namespace}/${.PVC.annotations.team}/${.PVC.name}\", \"onDelete\": \"archive\"}");
    claim("c", "nfs", "");
    until("it is bound", () -> isBound("c"));
    assertThat(export.resolve("default/a/c")).isDirectory();
    JsonObject volume = verbs.store(Catalogue.VOLUMES).list("").objects().iterator().next().tree();
    assertThat(JsonBodies.text(volume, "spec", "nfs", "path")).isEqualTo("/srv/default/a/c");
    assertThat(JsonBodies.text(volume, "spec", "nfs", "server")).isEqualTo("nfs.example.com");
    assertThat(volume.getAsJsonObject("spec").get("mountOptions").toString())
        .isEqualTo("[\"nfsvers=4.2\"]");
    assertThat(
            JsonBodies.text(volume, "metadata", "annotations", "pv.kubernetes.io/provisioned-by"))
        .isEqualTo(NFS);
    until("the claim is let go", () -> !state().contains("volume-being-made"));
    assertThat(isTold("c", "ProvisioningSucceeded", "Successfully provisioned volume")).isTrue();
    Files.writeString(export.resolve("default/a/c/data"), "kept");

    // whatever the class has become since
    verbs.delete(Catalogue.CLASSES, "", "nfs", WriteOptions.PLAIN);
    verbs.delete(Catalogue.CLAIMS, "default", "c", WriteOptions.PLAIN);
    until("its volume is gone", () -> verbs.store(Catalogue.VOLUMES).list("").objects().isEmpty());
    String name = JsonBodies.text(volume, "metadata", "name");
    assertThat(export.resolve("archived-default-a-c-" + name + "/data")).hasContent("kept");
  }

  @Test
  void whatCannotBeMadeIsExplained() throws Exception {
    classNamed("typo", NFS, "{\"onDelete\": \"Delete\"}");
    classNamed("nfs", NFS, "{\"pathPattern\": \"${.PVC.annotations.missing}\"}");
    classNamed("foreign", "example.com/other", "{}");
    claim("typo", "typo", "");
    claim("selector", "nfs", ", \"selector\": {\"matchLabels\": {\"a\": \"b\"}}");
    claim("missing", "nfs", "");
    claim("foreign", "foreign", "");
    until(
        "the typo is named",
        () -> isTold("typo", "ProvisioningFailed", "name delete, retain or archive"));
    until(
        "the selector is refused",
        () -> isTold("selector", "ProvisioningFailed", "claim Selector is not supported"));
    until(
        "the annotation is asked for",
        () -> isTold("missing", "ProvisioningFailed", "add it to the claim"));
    until(
        "the foreign one waits",
        () -> isTold("foreign", "ExternalProvisioning", "example.com/other"));
    assertThat(isTold("foreign", "Provisioning", "")).isFalse();
    verbs.delete(Catalogue.CLAIMS, "default", "typo", WriteOptions.PLAIN);
    until("nothing holds it", () -> verbs.store(Catalogue.CLAIMS).get("default/typo") == null);
    assertThat(phase("missing")).isEqualTo("Pending");
  }
}
