package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.http.WriteOptions;
import dev.mooring.apiserver.kinds.Catalogue;
import dev.mooring.manager.lifecycle.Manager;
import dev.mooring.testkit.PluginJar;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plugins come, are replaced and go while claims wait for them; no claim is lost over it. */
@Timeout(120)
class HotPluginTest {
  private static final String NAME = "example.com/marks";

  /** Its volumes are nothing but their paths, which tell the version that made them. */
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
        return Optional.of(request -> Attempt.done(new Deleter.Gone()));
      }
      """;

  @TempDir private Path folder;
  private SharedCluster cluster;
  private Manager manager;
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
    return PluginJar.at(plugins.resolve(name))
        .withPlugin("com.example.Marks", NAME, MEMBERS.replace("VERSION", version))
        .write();
  }

  private String path(String claim) {
    return cluster.verbs().store(Catalogue.VOLUMES).list("").objects().stream()
        .map(o -> o.tree())
        .filter(v -> JsonBodies.text(v, "spec", "claimRef", "name").equals(claim))
        .map(v -> JsonBodies.text(v, "spec", "hostPath", "path"))
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
  void claimsWaitForAPluginAndAreServedByTheOneThatIsThere() throws Exception {
    cluster.claim("early", "marks", "");
    cluster.until(
        "it waits for somebody", () -> cluster.isTold("early", "ExternalProvisioning", NAME));
    Path jar = jar("marks.jar", "one");
    cluster.until("the plugin has come", () -> cluster.isBound("early"));
    assertThat(path("early")).startsWith("/one/");

    jar("marks.jar", "another");
    for (int i = 0; !path("probe-" + (i - 1)).startsWith("/another/"); i++) {
      String probe = "probe-" + i;
      cluster.claim(probe, "marks", "");
      cluster.until("it is served, by whoever is there", () -> cluster.isBound(probe));
    }

    Files.delete(jar);
    cluster.until("it has gone", () -> !isUp("marks.jar"));
    cluster.claim("late", "marks", "");
    cluster.until(
        "it waits for somebody", () -> cluster.isTold("late", "ExternalProvisioning", NAME));
    jar("marks-2.jar", "two");
    cluster.until("it has come again", () -> cluster.isBound("late"));
    assertThat(isUp("marks-2.jar")).isTrue();
    assertThat(path("late")).startsWith("/two/");
    assertThat(path("early")).as("what is there is not touched").startsWith("/one/");

    cluster.verbs().delete(Catalogue.CLAIMS, "default", "early", WriteOptions.PLAIN);
    cluster.until("the new one deletes what the old one made", () -> path("early").isEmpty());
  }
}
