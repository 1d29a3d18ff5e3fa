package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.RestApi;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that an acknowledged write survives a SIGKILL of the embedded server. */
class KilledServerTest {
  private static final int KILLS = 3;
  private static final int WRITERS = 8;

  @TempDir private Path folder;

  private JavaProcess startServer() throws IOException, InterruptedException {
    JavaProcess process =
        JavaProcess.startMooring(
            "apiserver",
            "--data-dir",
            folder.resolve("data").toString(),
            "--write-kubeconfig",
            folder.resolve("kubeconfig").toString());
    process.awaitLine(line -> line.startsWith("kubeconfig: "));
    return process;
  }

  private static String awaitUrl(JavaProcess process) throws InterruptedException {
    return process.awaitLine(line -> line.startsWith("ready at ")).substring("ready at ".length());
  }

  @Test
  void acknowledgedWrite_serverKilled_survives() throws Exception {
    Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    AtomicInteger lastNumber = new AtomicInteger();
    for (int kill = 1; kill <= KILLS; kill++) {
      try (JavaProcess process = startServer();
          ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
        RestApi api = new RestApi(awaitUrl(process), "");
        assertThat(configMapNames(api)).as("after kill %d", kill - 1).containsAll(acknowledged);
        for (int writer = 0; writer < WRITERS; writer++) {
          writers.submit(() -> createConfigMaps(api, lastNumber, acknowledged));
        }
        int target = acknowledged.size() + 200;
        TestWait.until("enough objects are written", () -> acknowledged.size() >= target);
        process.kill();
      }
    }
    try (JavaProcess process = startServer()) {
      RestApi api = new RestApi(awaitUrl(process), "");
      assertThat(configMapNames(api)).containsAll(acknowledged);
      List<Long> versions = new ArrayList<>();
      api.list("ConfigMap")
          .forEach(object ->
              versions.add(object.getAsJsonObject("metadata").get("resourceVersion").getAsLong()));
      JsonObject created = api.create(configMap("after"));
      assertThat(created.getAsJsonObject("metadata").get("resourceVersion").getAsLong())
          .as("resource versions continue after the restart")
          .isGreaterThan(versions.stream().mapToLong(Long::longValue).max().orElseThrow());
    }
  }

  private static Void createConfigMaps(
      RestApi api, AtomicInteger lastNumber, Set<String> acknowledged) throws InterruptedException {
    try {
      while (true) {
        String name = "c-" + lastNumber.incrementAndGet();
        api.create(configMap(name));
        acknowledged.add(name);
      }
    } catch (IOException | RestApi.ErrorResponse killed) {
      return null;
    }
  }

  private static JsonObject configMap(String name) {
    return JsonParser.parseString(
            """
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "%s", "namespace": "default"}, "data": {"a": "%s"}}
            """
                .formatted(name, "x".repeat(2000)))
        .getAsJsonObject();
  }

  private static Set<String> configMapNames(RestApi api)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    return api.list("ConfigMap").stream()
        .map(object -> object.getAsJsonObject("metadata").get("name").getAsString())
        .collect(Collectors.toSet());
  }
}
