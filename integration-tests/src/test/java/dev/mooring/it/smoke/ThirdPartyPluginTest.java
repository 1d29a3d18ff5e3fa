package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.it.ExternalMaven;
import dev.mooring.it.JavaProcess;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a plugin that is built outside this project, with another version of a library that Mooring
 * uses. The plugin provisions, expands and deletes a volume.
 */
@Timeout(300)
class ThirdPartyPluginTest {
  @TempDir private Path folder;

  private static void awaitCondition(JavaProcess mooring, Callable<Boolean> condition) {
    TestWait.until(() -> mooring.output().toString(), condition);
  }

  private void buildPlugin() throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("mooring.root", "..")).toAbsolutePath();
    Files.createDirectories(folder.resolve("plugins"));
    new ExternalMaven(folder)
        .run(
            "cp -r '"
                + root.resolve("integration-tests/src/it/third-party")
                + "' third-party; mvn -B -f third-party package; cp -r third-party/target/plugin plugins/catalogue");
  }

  private static JsonObject parse(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  private static String claimCapacity(ObjectHandlers handlers) throws StatusException {
    return JsonBodies.textAt(
        handlers.get(KindCatalogue.CLAIMS, "default", "c").tree(), "status", "capacity", "storage");
  }

  @Test
  void plugin_ownLibraryVersion_provisionsExpandsAndDeletes() throws Exception {
    buildPlugin();
    Path volumes = Files.createDirectory(folder.resolve("volumes"));
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      ObjectHandlers handlers = server.handlers();
      handlers.create(
          KindCatalogue.CLASSES,
          "",
          parse(
              """
              {"metadata": {"name": "catalogue"}, "provisioner": "example.com/catalogue", "allowVolumeExpansion": true}
              """),
          WriteOptions.PLAIN);
      handlers.create(
          KindCatalogue.CLAIMS,
          "default",
          parse(
              """
              {"metadata": {"name": "c"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "catalogue", "resources": {"requests": {"storage": "1Gi"}}}}
              """),
          WriteOptions.PLAIN);
      try (JavaProcess mooring =
          JavaProcess.startMooring(
              "run",
              "--mode=replace",
              "--kubeconfig=" + kubeconfig,
              "--endpoints=off",
              "--leader-elect=false",
              "--plugins=" + folder.resolve("plugins"),
              "--plugin-setting=catalogue-folder=" + volumes)) {
        awaitCondition(mooring, () -> claimCapacity(handlers).equals("1Gi"));
        JsonObject volume =
            handlers.store(KindCatalogue.VOLUMES).list("").objects().iterator().next().tree();
        assertThat(JsonBodies.textAt(volume, "metadata", "annotations", "example.com/library"))
            .as("the plugin uses its own gson, which lacks JsonParser.parseString")
            .isEqualTo("gson-2.8.5.jar, parseString false");
        Path entry = volumes.resolve(JsonBodies.textAt(volume, "metadata", "name") + ".json");
        assertThat(entry).content().contains("\"size\":\"1Gi\"");

        handlers.update(
            KindCatalogue.CLAIMS,
            "default",
            "c",
            WriteOptions.PLAIN,
            claim -> {
              claim
                  .getAsJsonObject("spec")
                  .getAsJsonObject("resources")
                  .getAsJsonObject("requests")
                  .addProperty("storage", "3Gi");
              return claim;
            });
        awaitCondition(mooring, () -> claimCapacity(handlers).equals("3Gi"));
        assertThat(entry).content().contains("\"size\":\"3Gi\"");

        handlers.delete(KindCatalogue.CLAIMS, "default", "c", WriteOptions.PLAIN);
        awaitCondition(
            mooring, () -> handlers.store(KindCatalogue.VOLUMES).list("").objects().isEmpty());
        try (Stream<Path> entries = Files.list(volumes)) {
          assertThat(entries).isEmpty();
        }
      }
    }
  }
}
