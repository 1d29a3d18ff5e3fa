package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.it.ExternalMaven;
import dev.mooring.it.JavaProcess;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a plugin that is built outside this project, with another version of a library that Mooring
 * uses. The plugin provisions, expands and deletes volumes, places them in rooms, and leaves claims
 * of other branches to other provisioners of its name.
 */
class ThirdPartyPluginTest {
  private static final String CLAIM =
      """
      {"metadata": {"name": "%s", "annotations": %s}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
      """;

  @TempDir private static Path build;
  @TempDir private Path folder;
  private ApiServer server;
  private ObjectHandlers handlers;
  private Path kubeconfig;
  private Path volumes;

  @BeforeAll
  static void buildPlugin() throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("mooring.root", "..")).toAbsolutePath();
    Files.createDirectories(build.resolve("plugins"));
    new ExternalMaven(build)
        .run(
            "cp -r '"
                + root.resolve("integration-tests/src/it/third-party")
                + "' third-party; mvn -B -f third-party package; cp -r third-party/target/plugin plugins/catalogue");
  }

  @BeforeEach
  void startServer() throws IOException, StatusException {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    handlers = server.handlers();
    kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    volumes = Files.createDirectory(folder.resolve("volumes"));
    create(
        KindCatalogue.CLASSES,
        "",
        """
        {"metadata": {"name": "catalogue"}, "provisioner": "example.com/catalogue", "allowVolumeExpansion": true}
        """);
  }

  @AfterEach
  void stopServer() throws IOException {
    server.close();
  }

  private JavaProcess startMooring() throws IOException {
    return JavaProcess.startMooring(
        "run",
        "--mode=replace",
        "--kubeconfig=" + kubeconfig,
        "--endpoints=off",
        "--leader-elect=false",
        "--plugins=" + build.resolve("plugins"),
        "--plugin-setting=catalogue-folder=" + volumes);
  }

  private static void awaitCondition(JavaProcess mooring, Callable<Boolean> condition) {
    TestWait.until(() -> mooring.output().toString(), condition);
  }

  private static JsonObject parse(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  private void create(ResourceType type, String namespace, String object) throws StatusException {
    handlers.create(type, namespace, parse(object), WriteOptions.PLAIN);
  }

  private String textOf(String claim, String... path) throws StatusException {
    return JsonBodies.textAt(handlers.get(KindCatalogue.CLAIMS, "default", claim).tree(), path);
  }

  private String claimCapacity(String claim) throws StatusException {
    return textOf(claim, "status", "capacity", "storage");
  }

  private JsonObject volumeOf(String claim) throws StatusException {
    return handlers.get(KindCatalogue.VOLUMES, "", textOf(claim, "spec", "volumeName")).tree();
  }

  @Test
  void plugin_ownLibraryVersion_provisionsExpandsAndDeletes() throws Exception {
    create(KindCatalogue.CLAIMS, "default", CLAIM.formatted("c", "{}", "catalogue"));
    try (JavaProcess mooring = startMooring()) {
      awaitCondition(mooring, () -> claimCapacity("c").equals("1Gi"));
      JsonObject volume = volumeOf("c");
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
      awaitCondition(mooring, () -> claimCapacity("c").equals("3Gi"));
      assertThat(entry).content().contains("\"size\":\"3Gi\"");

      handlers.delete(KindCatalogue.CLAIMS, "default", "c", WriteOptions.PLAIN);
      awaitCondition(
          mooring, () -> handlers.store(KindCatalogue.VOLUMES).list("").objects().isEmpty());
      try (Stream<Path> entries = Files.list(volumes)) {
        assertThat(entries).isEmpty();
      }
    }
  }

  /** One claim of immediate binding, and one for which the scheduler selected a node. */
  @Test
  void plugin_allowedTopologiesAndSelectedNode_determineNodeAffinity() throws Exception {
    create(
        KindCatalogue.NODES,
        "",
        """
        {"metadata": {"name": "n1", "labels": {"example.com/room": "attic"}}}
        """);
    String storageClass =
        """
        {"metadata": {"name": "%s"}, "provisioner": "example.com/catalogue", "volumeBindingMode": "%s",
         "allowedTopologies": [{"matchLabelExpressions": [{"key": "example.com/room", "values": ["cellar", "attic"]}]}]}
        """;
    create(KindCatalogue.CLASSES, "", storageClass.formatted("anywhere", "Immediate"));
    create(KindCatalogue.CLASSES, "", storageClass.formatted("near", "WaitForFirstConsumer"));
    create(KindCatalogue.CLAIMS, "default", CLAIM.formatted("c", "{}", "anywhere"));
    create(
        KindCatalogue.CLAIMS,
        "default",
        CLAIM.formatted("d", "{\"volume.kubernetes.io/selected-node\": \"n1\"}", "near"));
    try (JavaProcess mooring = startMooring()) {
      awaitCondition(
          mooring, () -> claimCapacity("c").equals("1Gi") && claimCapacity("d").equals("1Gi"));
      assertThat(affinityOf("c")).contains("\"example.com/room\"", "[\"cellar\"]");
      assertThat(affinityOf("d")).contains("\"example.com/room\"", "[\"attic\"]");
    }
  }

  private String affinityOf(String claim) throws StatusException {
    return volumeOf(claim).getAsJsonObject("spec").getAsJsonObject("nodeAffinity").toString();
  }

  @Test
  void plugin_claimOfAnotherBranch_isIgnoredUntilItChanges() throws Exception {
    create(
        KindCatalogue.CLAIMS,
        "default",
        CLAIM.formatted("north", "{\"example.com/branch\": \"north\"}", "catalogue"));
    try (JavaProcess mooring = startMooring()) {
      awaitCondition(
          mooring,
          () ->
              textOf("north", "metadata", "annotations", "volume.kubernetes.io/storage-provisioner")
                  .equals("example.com/catalogue"));
      create(KindCatalogue.CLAIMS, "default", CLAIM.formatted("later", "{}", "catalogue"));
      awaitCondition(mooring, () -> claimCapacity("later").equals("1Gi"));
      try (JavaProcess explain =
          JavaProcess.startMooring(
              "explain",
              "--kubeconfig=" + kubeconfig,
              "--plugins=" + build.resolve("plugins"),
              "--plugin-setting=catalogue-folder=" + volumes,
              "pvc/north")) {
        assertThat(explain.exitCode()).as(explain.output().toString()).isEqualTo(3);
        assertThat(String.join(" ", explain.output()).replaceAll(" +", " "))
            .contains(
                "plugin example.com/catalogue leaves the claim to another provisioner of that name: branch north serves it");
      }
      assertThat(handlers.store(KindCatalogue.EVENTS).list("default").objects())
          .noneMatch(event ->
              event.tree().toString().contains("\"reason\":\"Provisioning\"")
                  && event.tree().toString().contains("\"name\":\"north\""));
      handlers.update(
          KindCatalogue.CLAIMS,
          "default",
          "north",
          WriteOptions.PLAIN,
          claim -> {
            claim
                .getAsJsonObject("metadata")
                .getAsJsonObject("annotations")
                .remove("example.com/branch");
            return claim;
          });
      awaitCondition(mooring, () -> claimCapacity("north").equals("1Gi"));
    }
  }
}
