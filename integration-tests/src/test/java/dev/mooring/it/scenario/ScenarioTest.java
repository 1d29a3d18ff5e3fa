package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

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
 * Plays the recorded scenarios against the embedded server with {@code --compat=kcm}. Those in
 * {@code scenarios-passing.txt} must pass; {@code -Dmooring.scenarios=all} shows the result of the
 * others.
 */
class ScenarioTest {
  static final double QUIET = 0.3;

  @TempDir Path folder;

  private final ConcurrentTests players = new ConcurrentTests();

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

  /** Scenarios of this project, with recorded end states of a real controller-manager. */
  @TestFactory
  Stream<DynamicTest> ours() throws IOException {
    return players.tests(Scenarios.chosen(Scenarios.ours()), this::play);
  }

  @AfterEach
  void stop() {
    players.stop();
  }

  static QuietCheck quietCheck(Path log, String name) {
    return switch (name) {
      case "reclaim/policy-to-delete-on-deleting-volume-jams",
          "reclaim/claim-goes-policy-by-policy" ->
          recycling(log)
              .knowing(
                  "patch /api/v1/persistentvolumes/.*",
                  "Kubernetes tries at every resync to add a finalizer that the server refuses");
      case "provision/hostpath-shapes" ->
          recycling(log)
              .knowing(
                  "get /api/v1/persistentvolumes/pvc-.*",
                  "the volume of a claim that it does not fit is read at every resync");
      default -> recycling(log);
    };
  }

  /** Returns a check that permits recycler pods to run. */
  static QuietCheck recycling(Path log) {
    return QuietCheck.of(log)
        .knowing(
            "list /api/v1/namespaces/default/events\\?.*involvedObject.uid.*",
            "events of a running recycler pod are listed at every resync");
  }

  private void play(String name) throws Exception {
    Path log = Files.createTempFile(folder, "audit", ".log");
    try (ApiServer server = ApiServer.start(QuietCheck.audited(log))) {
      Path kubeconfig = Files.createTempFile(folder, "kube", "config");
      Files.writeString(kubeconfig, server.kubeconfig());
      ScenarioRun.Ending quietCheck = () -> quietCheck(log, name).verify(QuietCheck.WINDOW);
      assertThat(Scenarios.play(name, new RestApi(server.url(), ""), kubeconfig, QUIET, quietCheck))
          .isEmpty();
    }
  }
}
