package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.Api;
import dev.mooring.it.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The recorded scenarios, against the embedded server with {@code --compat=kcm}. Those in {@code
 * scenarios-passing.txt} must pass; to see how the others do, run with {@code
 * -Dmooring.scenarios=all}.
 */
class ScenarioTest {
  static final double QUIET = 0.3;
  private static final int AT_ONCE = Integer.getInteger("mooring.scenarios.at-once", 4);

  @TempDir Path folder;

  private final ExecutorService players = Executors.newFixedThreadPool(AT_ONCE);

  @TestFactory
  Stream<DynamicTest> scenarios() throws IOException {
    String chosen = System.getProperty("mooring.scenarios", "passing");
    Path all = Resources.path("conformance/scenarios");
    List<String> names;
    if (chosen.equals("passing")) {
      names = Scenarios.passing();
    } else {
      try (Stream<Path> files = Files.walk(all)) {
        names =
            files
                .filter(f -> f.toString().endsWith(".json"))
                .map(f -> all.relativize(f).toString().replace(".json", ""))
                .filter(n -> chosen.equals("all") || n.startsWith(chosen))
                .sorted()
                .toList();
      }
    }
    // they mostly wait, for nothing to happen: several at once
    return names.stream()
        .map(name -> {
          Future<?> played =
              players.submit(() -> {
                play(name);
                return name;
              });
          return dynamicTest(name, () -> result(played));
        })
        .toList()
        .stream();
  }

  private static void result(Future<?> played) throws Exception {
    try {
      played.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception failed) {
        throw failed;
      }
      if (e.getCause() instanceof Error failed) {
        throw failed;
      }
      throw e;
    }
  }

  @AfterEach
  void stop() {
    players.shutdownNow();
  }

  private void play(String name) throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.Config.DEFAULTS)) {
      Path kubeconfig = Files.createTempFile(folder, "kube", "config");
      Files.writeString(kubeconfig, server.kubeconfig());
      assertThat(Scenarios.play(name, new Api(server.url(), ""), kubeconfig, QUIET)).isEmpty();
    }
  }
}
