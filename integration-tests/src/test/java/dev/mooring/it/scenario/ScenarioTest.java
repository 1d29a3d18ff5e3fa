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
  static final double QUIET_SECONDS = 0.3;

  @TempDir Path folder;

  private final ConcurrentTests concurrentTests = new ConcurrentTests();

  @TestFactory
  Stream<DynamicTest> scenario_kubernetesCompat_endsAsRecorded() throws IOException {
    String selection = System.getProperty("mooring.scenarios", "passing");
    Path scenarioFolder = Resources.path("conformance/scenarios");
    List<String> names;
    if (selection.equals("passing")) {
      names = Scenarios.passing();
    } else {
      try (Stream<Path> files = Files.walk(scenarioFolder)) {
        names =
            files
                .filter(file -> file.toString().endsWith(".json"))
                .map(file -> scenarioFolder.relativize(file).toString().replace(".json", ""))
                .filter(name -> selection.equals("all") || name.startsWith(selection))
                .sorted()
                .toList();
      }
    }
    return concurrentTests.tests(names, this::play);
  }

  /** Scenarios of this project, with recorded end states of a real controller-manager. */
  @TestFactory
  Stream<DynamicTest> scenario_ofThisProject_endsAsRecorded() throws IOException {
    return concurrentTests.tests(
        Scenarios.selectByProperty(Scenarios.projectScenarios()), this::play);
  }

  /** Scenarios of newer releases, with end states that Kubernetes' sources imply. */
  @TestFactory
  Stream<DynamicTest> scenario_fromSource_endsAsSourcesImply() throws IOException {
    return concurrentTests.tests(
        Scenarios.selectByProperty(Scenarios.sourcedScenarios()), this::playSourced);
  }

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  static QuietCheck checkQuiet(Path auditLog, String name) {
    return switch (name) {
      case "reclaim/policy-to-delete-on-deleting-volume-jams",
          "reclaim/claim-goes-policy-by-policy" ->
          permitRecycling(auditLog)
              .permitting(
                  "patch /api/v1/persistentvolumes/.*",
                  "Kubernetes tries at every resync to add a finalizer that the server refuses");
      case "provision/hostpath-shapes" ->
          permitRecycling(auditLog)
              .permitting(
                  "get /api/v1/persistentvolumes/pvc-.*",
                  "the volume of a claim that it does not fit is read at every resync");
      default -> permitRecycling(auditLog);
    };
  }

  /** Returns a check that permits recycler pods to run. */
  static QuietCheck permitRecycling(Path auditLog) {
    return QuietCheck.of(auditLog)
        .permitting(
            "list /api/v1/namespaces/default/events\\?.*involvedObject.uid.*",
            "events of a running recycler pod are listed at every resync");
  }

  private void play(String name) throws Exception {
    Path auditLog = Files.createTempFile(folder, "audit", ".log");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog))) {
      Path kubeconfig = Files.createTempFile(folder, "kube", "config");
      Files.writeString(kubeconfig, server.kubeconfig());
      ScenarioRun.StateCheck endCheck = () -> checkQuiet(auditLog, name).verify(QuietCheck.WINDOW);
      assertThat(Scenarios.play(name, RestApi.of(server, ""), kubeconfig, QUIET_SECONDS, endCheck))
          .isEmpty();
    }
  }

  private void playSourced(String name) throws Exception {
    Path auditLog = Files.createTempFile(folder, "audit", ".log");
    Path scenarioFolder = Files.createTempDirectory(folder, "s");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog));
        SourcedScenario scenario = SourcedScenario.prepare(name, server, scenarioFolder)) {
      assertThat(scenario.play(() -> checkQuiet(auditLog, name).verify(QuietCheck.WINDOW)))
          .isEmpty();
    }
  }
}
