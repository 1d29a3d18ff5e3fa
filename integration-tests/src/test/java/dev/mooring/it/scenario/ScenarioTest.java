package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.Api;
import dev.mooring.it.Resources;
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
 * The recorded scenarios, against the embedded server with {@code --compat=kcm}. Those in {@code
 * scenarios-passing.txt} must pass; to see how the others do, run with {@code
 * -Dmooring.scenarios=all}.
 */
class ScenarioTest {
  static final double QUIET = 0.3;

  @TempDir Path folder;

  private final AtOnce players = new AtOnce();

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
    return players.tests(names, this::play);
  }

  @AfterEach
  void stop() {
    players.stop();
  }

  private void play(String name) throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.Config.DEFAULTS)) {
      Path kubeconfig = Files.createTempFile(folder, "kube", "config");
      Files.writeString(kubeconfig, server.kubeconfig());
      assertThat(Scenarios.play(name, new Api(server.url(), ""), kubeconfig, QUIET)).isEmpty();
    }
  }
}
