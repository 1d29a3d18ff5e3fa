package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.store.StoredObject;
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
import org.junit.jupiter.api.io.TempDir;

/** Adds, replaces and removes plugins while claims wait for them. */
class HotPluginTest {
  private static final String PLUGIN = "example.com/marks";

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
        cluster.startManager(
            plugins, "--mode=beside", "--plugin-scan-period=50ms", "--endpoints=127.0.0.1:0");
    cluster.createClass("marks", PLUGIN, "{}");
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private Path writeJar(String name, String version) throws IOException {
    return PluginJarBuilder.at(plugins.resolve(name))
        .withPlugin("com.example.Marks", PLUGIN, MEMBERS.replace("VERSION", version))
        .write();
  }

  /** The plugin expands volumes without work. Its attacher logs each call. */
  private static final String DISKS =
      """
      private volatile java.nio.file.Path callLog;

      @Override
      public void start(PluginContext context) {
        callLog = java.nio.file.Path.of("CALL_LOG");
      }

      @Override
      public Optional<Expander> expander() {
        return Optional.of(request -> Attempt.done(new Expander.Expanded(request.requestedSize(), false)));
      }

      @Override
      public Optional<Attacher> attacher() {
        return Optional.of(new Attacher() {
          private void write(String line) {
            try {
              java.nio.file.Files.writeString(callLog, line + "\\n",
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

  private String volumePath(String claim) {
    return cluster.handlers().store(KindCatalogue.VOLUMES).list("").objects().stream()
        .map(StoredObject::tree)
        .filter(volume -> JsonBodies.textAt(volume, "spec", "claimRef", "name").equals(claim))
        .map(volume -> JsonBodies.textAt(volume, "spec", "hostPath", "path"))
        .findFirst()
        .orElse("");
  }

  private boolean isLoaded(String jar) {
    String sample = "mooring_plugin_up{jar=\"" + jar + "\",plugin=\"" + PLUGIN + "\"} 1.0";
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI metrics = URI.create("http://127.0.0.1:" + manager.port() + "/metrics");
      return http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
          .body()
          .contains(sample);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void claims_pluginAddedAndReplaced_areBound() throws Exception {
    cluster.createClaim("early", "marks", "");
    cluster.awaitCondition(
        "claim waits for a provisioner",
        () -> cluster.hasEvent("early", "ExternalProvisioning", PLUGIN));
    Path jar = writeJar("marks.jar", "one");
    cluster.awaitCondition("plugin is loaded", () -> cluster.isBound("early"));
    assertThat(volumePath("early")).startsWith("/one/");

    writeJar("marks.jar", "another");
    for (int i = 0; !volumePath("probe-" + (i - 1)).startsWith("/another/"); i++) {
      String probe = "probe-" + i;
      cluster.createClaim(probe, "marks", "");
      cluster.awaitCondition("claim is bound", () -> cluster.isBound(probe));
    }

    Files.delete(jar);
    cluster.awaitCondition("plugin is unloaded", () -> !isLoaded("marks.jar"));
    cluster.createClaim("late", "marks", "");
    cluster.awaitCondition(
        "claim waits for a provisioner",
        () -> cluster.hasEvent("late", "ExternalProvisioning", PLUGIN));
    writeJar("marks-2.jar", "two");
    cluster.awaitCondition("plugin is loaded again", () -> cluster.isBound("late"));
    assertThat(isLoaded("marks-2.jar")).isTrue();
    assertThat(volumePath("late")).startsWith("/two/");
    assertThat(volumePath("early")).as("existing volumes are unchanged").startsWith("/one/");

    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "early", WriteOptions.PLAIN);
    cluster.awaitCondition(
        "volume of the first version is deleted", () -> volumePath("early").isEmpty());
  }

  private static List<String> readLines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isVolumeAttached() {
    return cluster.handlers().store(KindCatalogue.NODES).list("").objects().stream()
        .anyMatch(node -> JsonBodies.valueAt(node.tree(), "status", "volumesAttached") != null);
  }

  /**
   * A new plugin requeues the objects that wait for it. Without the plugin no volume is detached.
   */
  @Test
  void volume_pluginAddedLater_isExpandedAttachedAndDetached() throws Exception {
    Path pluginFolder = Files.createDirectory(folder.resolve("later"));
    Path callLog = folder.resolve("calls");
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
    cluster.createClaim("c", "grows", "");
    cluster.awaitCondition("claim is bound", () -> cluster.isBound("c"));
    cluster.create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "p"}, "spec": {"nodeName": "n1", "containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]}}
        """);
    cluster.requestSize("c", "2Gi");
    ControllerManager firstManager = cluster.startManager(pluginFolder, flags);
    cluster.awaitCondition(
        "claim waits for an external resizer",
        () -> cluster.hasEvent("c", "ExternalExpanding", ""));

    PluginJarBuilder disks =
        PluginJarBuilder.at(pluginFolder.resolve("disks.jar"))
            .withPlugin(
                "com.example.Disks",
                "example.com/disks",
                DISKS.replace("CALL_LOG", callLog.toString()));
    Path jar = disks.write();
    cluster.awaitCondition("claim is expanded", () -> cluster.capacity("c").equals("2Gi"));
    cluster.awaitCondition("volume is attached", this::isVolumeAttached);
    assertThat(readLines(callLog)).containsExactly("attach /disk");

    firstManager.stop();
    Files.delete(jar);
    cluster.startManager(pluginFolder, flags);
    cluster.requestSize("c", "3Gi");
    disks.write();
    cluster.awaitCondition("claim is expanded again", () -> cluster.capacity("c").equals("3Gi"));
    cluster.handlers().delete(KindCatalogue.PODS, "default", "p", WriteOptions.PLAIN);
    cluster.awaitCondition(
        "volume is detached", () -> readLines(callLog).getLast().startsWith("detach"));
    assertThat(readLines(callLog)).containsExactly("attach /disk", "detach /disk");
    assertThat(isVolumeAttached()).isFalse();
  }
}
