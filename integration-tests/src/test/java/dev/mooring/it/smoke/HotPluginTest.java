package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.PluginJarBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Adds, replaces and removes plugins while claims wait for them; no claim is lost. */
@Timeout(300)
class HotPluginTest {
  private static final String NAME = "example.com/marks";

  /** The path of a volume names the plugin version that created it. */
  private static final String MEMBERS =
      """
      @Override
      public Optional<Provisioner> provisioner() {
        return Optional.of(request -> Attempt.done(new Provisioner.Provisioned(
            VolumeSource.hostPath("/VERSION/" + request.volumeName()),
            request.capacity(), request.accessModes(), Map.of())));
      }

      @Override
      public Optional<Deleter> deleter() {
        return Optional.of(request -> Attempt.done(new Deleter.Deleted()));
      }
      """;

  @TempDir private Path folder;
  private SharedCluster cluster;
  private ControllerManager manager;
  private Path plugins;

  @BeforeEach
  void start() throws Exception {
    plugins = Files.createDirectory(folder.resolve("plugins"));
    cluster = new SharedCluster(folder);
    manager =
        cluster.start(
            plugins, "--mode=beside", "--plugin-scan-period=50ms", "--endpoints=127.0.0.1:0");
    cluster.classNamed("marks", NAME, "{}");
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private Path jar(String name, String version) throws IOException {
    return PluginJarBuilder.at(plugins.resolve(name))
        .withPlugin("com.example.Marks", NAME, MEMBERS.replace("VERSION", version))
        .write();
  }

  /** The plugin expands for free, and its attacher logs its calls. */
  private static final String DISKS =
      """
      private volatile java.nio.file.Path diary;

      @Override
      public void start(PluginContext context) {
        diary = java.nio.file.Path.of("DIARY");
      }

      @Override
      public Optional<Expander> expander() {
        return Optional.of(request -> Attempt.done(new Expander.Expanded(request.to(), false)));
      }

      @Override
      public Optional<Attacher> attacher() {
        return Optional.of(new Attacher() {
          private void write(String line) {
            try {
              java.nio.file.Files.writeString(diary, line + "\\n",
                  java.nio.file.StandardOpenOption.APPEND, java.nio.file.StandardOpenOption.CREATE);
            } catch (java.io.IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          }

          @Override
          public Optional<String> volumeName(VolumeSource source) {
            return Optional.of(source.attribute("path"));
          }

          @Override
          public Attempt<Attached> attach(Request request) {
            write("attach " + request.volumeName());
            return Attempt.done(new Attached("/dev/disk"));
          }

          @Override
          public Attempt<Detached> detach(String volumeName, String node) {
            write("detach " + volumeName);
            return Attempt.done(new Detached());
          }

          @Override
          public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
            return Attempt.done(volumeNames);
          }
        });
      }
      """;

  private String path(String claim) {
    return cluster.handlers().store(KindCatalogue.VOLUMES).list("").objects().stream()
        .map(o -> o.tree())
        .filter(v -> JsonBodies.textAt(v, "spec", "claimRef", "name").equals(claim))
        .map(v -> JsonBodies.textAt(v, "spec", "hostPath", "path"))
        .findFirst()
        .orElse("");
  }

  private boolean isUp(String jar) {
    String up = "mooring_plugin_up{jar=\"" + jar + "\",plugin=\"" + NAME + "\"} 1.0";
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI metrics = URI.create("http://127.0.0.1:" + manager.port() + "/metrics");
      return http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
          .body()
          .contains(up);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void claims_pluginAddedAndReplaced_areServed() throws Exception {
    cluster.claim("early", "marks", "");
    cluster.until(
        "claim waits for a provisioner",
        () -> cluster.hasEvent("early", "ExternalProvisioning", NAME));
    Path jar = jar("marks.jar", "one");
    cluster.until("plugin is loaded", () -> cluster.isBound("early"));
    assertThat(path("early")).startsWith("/one/");

    jar("marks.jar", "another");
    for (int i = 0; !path("probe-" + (i - 1)).startsWith("/another/"); i++) {
      String probe = "probe-" + i;
      cluster.claim(probe, "marks", "");
      cluster.until("claim is served by the current plugin", () -> cluster.isBound(probe));
    }

    Files.delete(jar);
    cluster.until("plugin is unloaded", () -> !isUp("marks.jar"));
    cluster.claim("late", "marks", "");
    cluster.until(
        "claim waits for a provisioner",
        () -> cluster.hasEvent("late", "ExternalProvisioning", NAME));
    jar("marks-2.jar", "two");
    cluster.until("plugin is loaded again", () -> cluster.isBound("late"));
    assertThat(isUp("marks-2.jar")).isTrue();
    assertThat(path("late")).startsWith("/two/");
    assertThat(path("early")).as("existing volumes are unchanged").startsWith("/one/");

    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "early", WriteOptions.PLAIN);
    cluster.until("new version deletes volumes of the old one", () -> path("early").isEmpty());
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isListed() {
    return cluster.handlers().store(KindCatalogue.NODES).list("").objects().stream()
        .anyMatch(node -> JsonBodies.valueAt(node.tree(), "status", "volumesAttached") != null);
  }

  /**
   * All objects that waited for the plugin are requeued when it appears; nothing is detached before
   * that.
   */
  @Test
  void volumes_pluginAddedLater_areExpandedAndAttached() throws Exception {
    Path later = Files.createDirectory(folder.resolve("later"));
    Path diary = folder.resolve("diary");
    String[] flags = {
      "--controllers=attachdetach,persistentvolume-expander", "--plugin-scan-period=50ms"
    };
    cluster.create(
        KindCatalogue.NODES,
        """
        {"metadata": {"name": "n1", "annotations": {"volumes.kubernetes.io/controller-managed-attach-detach": "true"}}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
        """);
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "v"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"], "storageClassName": "grows", "hostPath": {"path": "/disk"}}}
        """);
    cluster.create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "grows"}, "provisioner": "kubernetes.io/no-provisioner", "allowVolumeExpansion": true}
        """);
    cluster.claim("c", "grows", "");
    cluster.until("claim is bound", () -> cluster.isBound("c"));
    cluster.create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "p"}, "spec": {"nodeName": "n1", "containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]}}
        """);
    cluster.ask("c", "2Gi");
    ControllerManager first = cluster.start(later, flags);
    cluster.until(
        "claim waits for an external resizer",
        () -> cluster.hasEvent("c", "ExternalExpanding", ""));

    PluginJarBuilder disks =
        PluginJarBuilder.at(later.resolve("disks.jar"))
            .withPlugin(
                "com.example.Disks", "example.com/disks", DISKS.replace("DIARY", diary.toString()));
    Path jar = disks.write();
    cluster.until("claim is expanded", () -> cluster.capacity("c").equals("2Gi"));
    cluster.until("volume is attached", this::isListed);
    assertThat(lines(diary)).containsExactly("attach /disk");

    first.stop();
    Files.delete(jar);
    cluster.start(later, flags);
    cluster.ask("c", "3Gi");
    disks.write();
    cluster.until("claim is expanded again", () -> cluster.capacity("c").equals("3Gi"));
    cluster.handlers().delete(KindCatalogue.PODS, "default", "p", WriteOptions.PLAIN);
    cluster.until("volume is detached", () -> lines(diary).getLast().startsWith("detach"));
    assertThat(lines(diary)).containsExactly("attach /disk", "detach /disk");
    assertThat(isListed()).isFalse();
  }
}
