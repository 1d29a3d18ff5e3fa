package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.testkit.PluginJarBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A plugin from a jar fills volumes: a pod from a URL, and a call from a claim of another class.
 * The test runs the pods.
 */
class PopulatorTest {
  private static final String CONTENT = "content of the page";

  /** Volumes are directories of the class's folder. */
  private static final String MEMBERS =
      """
      private volatile PluginCluster cluster = PluginCluster.NONE;

      @Override
      public void start(PluginContext context) {
        cluster = context.cluster();
      }

      @Override
      public Optional<Provisioner> provisioner() {
        return Optional.of(request -> {
          java.nio.file.Path path = java.nio.file.Path.of(request.parameters().get("folder"), request.volumeName());
          try {
            java.nio.file.Files.createDirectories(path);
          } catch (java.io.IOException e) {
            return new Attempt.Failed<>(new Failure.Uncertain(e.toString()));
          }
          return Attempt.done(new Provisioner.Provisioned(
              VolumeSource.hostPath(path.toString()), request.capacity(), request.accessModes(), Map.of()));
        });
      }

      @Override
      public Optional<Deleter> deleter() {
        return Optional.of(request -> {
          java.nio.file.Path path = java.nio.file.Path.of(request.source().attribute("path"));
          try {
            java.nio.file.Files.deleteIfExists(path.resolve("content"));
            java.nio.file.Files.deleteIfExists(path);
          } catch (java.io.IOException e) {
            return new Attempt.Failed<>(new Failure.Uncertain(e.toString()));
          }
          return Attempt.done(new Deleter.Deleted());
        });
      }

      @Override
      public Optional<Populator> populator() {
        return Optional.of(new Populator() {
          @Override
          public List<SourceKind> kinds() {
            return List.of(
                new SourceKind("example.com", "v1", "pages", "Page"),
                new SourceKind("example.com", "v1", "claimcopies", "ClaimCopy"));
          }

          @Override
          public Attempt<Progress> populate(Request request) {
            Map<?, ?> spec = (Map<?, ?>) request.dataSource().object().get("spec");
            return request.dataSource().kind().kind().equals("Page")
                ? Attempt.done(Progress.RunPod.of(
                    "example.com/download:1", List.of(String.valueOf(spec.get("url"))), "/data", request.volumeMode()))
                : copy(ObjectKey.of(request.dataSource().key().namespace(), String.valueOf(spec.get("claim"))), request);
          }
        });
      }

      private Attempt<Populator.Progress> copy(ObjectKey claim, Populator.Request request) {
        try {
          if (!(cluster.volumes() instanceof Attempt.Done<List<Volume>>(List<Volume> volumes))) {
            return new Attempt.Failed<>(new Failure.Unreachable("volumes are unknown"));
          }
          for (Volume volume : volumes) {
            if (volume.claimRef() != null && volume.claimRef().claim().equals(claim)) {
              java.nio.file.Files.copy(
                  java.nio.file.Path.of(volume.source().attribute("path"), "content"),
                  java.nio.file.Path.of(request.volume().attribute("path"), "content"),
                  java.nio.file.StandardCopyOption.REPLACE_EXISTING);
              return Attempt.done(new Populator.Progress.Filled());
            }
          }
          return new Attempt.Failed<>(new Failure.Unreachable("claim " + claim + " has no volume"));
        } catch (java.io.IOException | InterruptedException e) {
          return new Attempt.Failed<>(new Failure.Uncertain(e.toString()));
        }
      }
      """;

  @TempDir private Path folder;
  private SharedCluster cluster;
  private HttpServer web;

  @BeforeEach
  void start() throws Exception {
    web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.createContext(
        "/",
        exchange -> {
          byte[] body = CONTENT.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    web.start();
    Path plugins = Files.createDirectory(folder.resolve("plugins"));
    PluginJarBuilder.at(plugins.resolve("disks.jar"))
        .withPlugin("com.example.Disks", "example.com/disks", MEMBERS)
        .write();
    cluster = SharedCluster.withoutManager(folder);
    cluster.create(KindCatalogue.NAMESPACES, "{\"metadata\": {\"name\": \"populators\"}}");
    defineKind("example.com", "v1", "pages", "Page", "Namespaced");
    defineKind("example.com", "v1", "claimcopies", "ClaimCopy", "Namespaced");
    defineKind(
        "populator.storage.k8s.io", "v1beta1", "volumepopulators", "VolumePopulator", "Cluster");
    for (String className : List.of("fast", "slow")) {
      cluster.createClass(
          className,
          "example.com/disks",
          "{\"folder\": \"%s\"}".formatted(folder.resolve(className)));
    }
    cluster.startManager(
        plugins,
        "--mode=replace",
        "--populator-namespace=populators",
        "--plugin-pods-namespace=populators");
  }

  @AfterEach
  void stop() throws Exception {
    web.stop(0);
    cluster.close();
  }

  private void defineKind(String group, String version, String plural, String kind, String scope)
      throws StatusException {
    cluster.create(
        KindCatalogue.DEFINITIONS,
        """
        {"metadata": {"name": "%s.%s", "annotations": {"api-approved.kubernetes.io": "unapproved, for tests"}},
         "spec": {"group": "%s", "scope": "%s", "names": {"plural": "%s", "kind": "%s"}, "versions": [{"name": "%s", "served": true, "storage": true,
          "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}
        """
            .formatted(plural, group, group, scope, plural, kind, version));
  }

  private void createSource(String plural, String name, String field, String value)
      throws StatusException {
    ResourceType type = cluster.handlers().findType("example.com", "v1", plural).orElseThrow();
    cluster.create(
        type,
        """
        {"metadata": {"name": "%s"}, "spec": {"%s": "%s"}}
        """
            .formatted(name, field, value));
  }

  private void createClaim(String name, String kind, String source) throws StatusException {
    cluster.createClaim(
        name,
        "fast",
        """
        , "dataSourceRef": {"apiGroup": "example.com", "kind": "%s", "name": "%s"}
        """
            .formatted(kind, source));
  }

  private Path directoryOf(String namespace, String claim) throws StatusException {
    String volume =
        JsonBodies.textAt(
            cluster.handlers().get(KindCatalogue.CLAIMS, namespace, claim).tree(),
            "spec",
            "volumeName");
    return Path.of(
        JsonBodies.textAt(
            cluster.handlers().get(KindCatalogue.VOLUMES, "", volume).tree(),
            "spec",
            "hostPath",
            "path"));
  }

  /** Waits for a populator pod and does its work. */
  private void runPod() throws Exception {
    cluster.awaitCondition("pod is created", () -> pods().findFirst().isPresent());
    JsonObject pod = pods().findFirst().orElseThrow();
    JsonObject spec = pod.getAsJsonObject("spec");
    String claim =
        spec.getAsJsonArray("volumes")
            .get(0)
            .getAsJsonObject()
            .getAsJsonObject("persistentVolumeClaim")
            .get("claimName")
            .getAsString();
    String url =
        spec.getAsJsonArray("containers")
            .get(0)
            .getAsJsonObject()
            .getAsJsonArray("args")
            .get(0)
            .getAsString();
    try (InputStream in = URI.create(url).toURL().openStream()) {
      Files.write(directoryOf("populators", claim).resolve("content"), in.readAllBytes());
    }
    cluster
        .handlers()
        .update(
            KindCatalogue.PODS,
            "populators",
            JsonBodies.textAt(pod, "metadata", "name"),
            WriteOptions.STATUS,
            current -> {
              current.add("status", JsonParser.parseString("{\"phase\": \"Succeeded\"}"));
              return current;
            });
  }

  private Stream<JsonObject> pods() {
    return cluster.handlers().store(KindCatalogue.PODS).list("").objects().stream()
        .map(StoredObject::tree);
  }

  private void assertFilled(String claim) throws IOException, StatusException {
    cluster.awaitCondition("claim is bound", () -> cluster.isBound(claim));
    cluster.awaitCondition(
        "population has ended", () -> cluster.hasEvent(claim, "PopulatorFinished", ""));
    assertThat(directoryOf("default", claim).resolve("content")).hasContent(CONTENT);
    cluster.awaitCondition(
        "prime claim and pod are deleted",
        () ->
            pods().findFirst().isEmpty()
                && cluster.handlers().store(KindCatalogue.CLAIMS).list("").objects().stream()
                    .noneMatch(object -> object.key().contains("populators")));
    assertThat(cluster.handlers().get(KindCatalogue.CLAIMS, "default", claim).tree().toString())
        .doesNotContain("populate-target-protection");
  }

  @Test
  void populator_ofPlugin_fillsFromUrlAndFromClaimOfAnotherClass() throws Exception {
    createSource("pages", "index", "url", "http://127.0.0.1:" + web.getAddress().getPort() + "/");
    createClaim("page", "Page", "index");
    runPod();
    assertFilled("page");

    cluster.createClaim("original", "slow", "");
    cluster.awaitCondition("original is bound", () -> cluster.isBound("original"));
    Files.writeString(directoryOf("default", "original").resolve("content"), CONTENT);
    createSource("claimcopies", "copy", "claim", "original");
    createClaim("copied", "ClaimCopy", "copy");
    assertFilled("copied");
    assertThat(directoryOf("default", "copied")).startsWith(folder.resolve("fast"));
    assertThat(directoryOf("default", "original")).startsWith(folder.resolve("slow"));
    assertThat(cluster.hasEvent("page", "ProvisioningFailed", "")).isFalse();

    Path filledDirectory = directoryOf("default", "page");
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "page", WriteOptions.PLAIN);
    cluster.awaitCondition(
        "volume is deleted with its claim", () -> !Files.exists(filledDirectory));
  }

  @Test
  void claim_deletedWhileItsPodRuns_leavesNothing() throws Exception {
    createSource("pages", "index", "url", "http://127.0.0.1:1/");
    createClaim("page", "Page", "index");
    cluster.awaitCondition("pod is created", () -> pods().findFirst().isPresent());
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "page", WriteOptions.PLAIN);
    cluster.awaitCondition(
        "everything is deleted",
        () ->
            Stream.of(KindCatalogue.PODS, KindCatalogue.CLAIMS, KindCatalogue.VOLUMES)
                .allMatch(type -> cluster.handlers().store(type).list("").objects().isEmpty()));
  }

  @Test
  void claim_kindOfNoPopulator_isReported() throws Exception {
    createClaim("book", "Book", "a");
    cluster.awaitCondition(
        "claim has an event",
        () -> cluster.hasEvent("book", "UnrecognizedDataSourceKind", "Book.example.com"));
  }
}
