package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.ConcurrentTests;
import dev.mooring.it.QuietCheck;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plays the scenarios whose outcome under Mooring deliberately improves on Kubernetes. {@code
 * better/} has the outcomes that {@code docs/differences.md} promises. {@code
 * -Dmooring.write=better} writes these files. Review them before a commit.
 */
class ImprovedOutcomesTest {
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().setPrettyPrinting().disableHtmlEscaping().create();

  @TempDir Path folder;
  private final ConcurrentTests concurrentTests = new ConcurrentTests();

  @TestFactory
  Stream<DynamicTest> scenario_withoutCompat_endsAsPromised() throws IOException {
    List<String> names =
        Files.readAllLines(Resources.path("better/scenarios.txt")).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    return concurrentTests.tests(names, this::play);
  }

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  private void play(String name) throws Exception {
    JsonObject scenario =
        JsonParser.parseString(
                Files.readString(Resources.path("conformance/scenarios/" + name + ".json")))
            .getAsJsonObject();
    JsonArray flags = scenario.has("flags") ? scenario.getAsJsonArray("flags") : new JsonArray();
    flags.add("--compat=none");
    scenario.add("flags", flags);
    Path auditLog = Files.createTempFile(folder, "audit", ".log");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog))) {
      Path kubeconfig = Files.createTempFile(folder, "kube", "config");
      Files.writeString(kubeconfig, server.kubeconfig());
      JsonObject endState =
          replacePodDigests(
              new ScenarioRun(
                      RestApi.of(server, ""),
                      new InProcessController(kubeconfig, Resources.plugins()),
                      ScenarioTest.QUIET_SECONDS)
                  .verifyingEnd(
                      () -> ScenarioTest.permitRecycling(auditLog).verify(QuietCheck.WINDOW))
                  .play(scenario));
      String file = name.replace("/", "__") + ".json";
      if (System.getProperty("mooring.write", "").equals("better")) {
        Files.writeString(
            Path.of("src/test/resources/better", file),
            GSON.toJson(endState) + System.lineSeparator());
      }
      JsonObject golden =
          JsonParser.parseString(Files.readString(Path.of("src/test/resources/better", file)))
              .getAsJsonObject();
      assertThat(GoldenComparison.findDifferences(golden, endState, scenario.get("ignore")))
          .isEmpty();
    }
  }

  /** Replaces the recycler pod's name, which contains a digest of a random uid. */
  private static JsonObject replacePodDigests(JsonObject snapshot) {
    return JsonParser.parseString(
            GSON.toJson(snapshot)
                .replaceAll("recycler-for-pv-[0-9a-f]{16}", "recycler-for-pv-<digest>"))
        .getAsJsonObject();
  }
}
