package dev.mooring.it.scenario;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.QuietCheck;
import dev.mooring.it.RestApi;
import dev.mooring.manager.shadow.ShadowReport;
import dev.mooring.manager.shadow.ShadowSession;
import dev.mooring.manager.shadow.pairing.PairingLedger;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Plays one scenario beside a shadow. No controller writes: {@link RecordedCluster} does. */
public final class ShadowTrial {
  private static final double QUIET_SECONDS = 0.1;
  private static final int REST_POLLS = 3;

  /** Without confirmation, because the test waits until every watch event has arrived. */
  private static final PairingLedger.Periods PERIODS =
      new PairingLedger.Periods(
          Duration.ofSeconds(1), Duration.ZERO, Duration.ofMinutes(2), Duration.ofMinutes(2));

  private final JsonObject scenario;
  private final JsonObject recorded;
  private final Compat compat;

  ShadowTrial(JsonObject scenario, JsonObject recorded, Compat compat) {
    this.scenario = scenario;
    this.recorded = recorded;
    this.compat = compat;
  }

  static ShadowTrial of(String name, Compat compat) throws IOException {
    return new ShadowTrial(
        Scenarios.read("scenarios/" + name + ".json"), Scenarios.readEndState(name), compat);
  }

  ShadowReport play(Path folder) throws Exception {
    Path auditLog = Files.createTempFile(folder, "audit", ".log");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog))) {
      Path kubeconfig = Files.createTempFile(folder, "kube", "config");
      Files.writeString(kubeconfig, server.kubeconfig());
      ShadowReport report = play(RestApi.of(server, ""), kubeconfig);
      checkOnlyReads(auditLog);
      return report;
    }
  }

  static void checkOnlyReads(Path auditLog) throws IOException {
    for (AuditEvent event : AuditEvent.read(auditLog)) {
      if (event.isOfController() && !List.of("get", "list", "watch").contains(event.verb())) {
        throw new AssertionError("the shadow wrote: " + event);
      }
    }
  }

  ShadowReport play(RestApi api, Path kubeconfig) throws Exception {
    ShadowController controller =
        new ShadowController(
            kubeconfig,
            List.of("--compat=" + (compat.isKubernetes() ? "kcm" : "none")),
            () -> new ShadowSession(compat, PERIODS, new SystemTime()));
    RecordedCluster cluster =
        new RecordedCluster(api, scenario, recorded, () -> awaitRest(api, controller));
    new ScenarioRun(api, controller, QUIET_SECONDS)
        .beforeEachStep(step -> act(api, cluster, controller))
        .verifyingEnd(() -> act(api, cluster, controller))
        .play(scenario);
    return controller.report();
  }

  private static void act(RestApi api, RecordedCluster cluster, ShadowController controller) {
    try {
      awaitRest(api, controller);
      cluster.act();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  // An event handler runs after its cache has changed, so one poll is not enough.
  private static void awaitRest(RestApi api, ShadowController controller) {
    int[] restPolls = {0};
    TestWait.until(
        "shadow at rest",
        () -> {
          restPolls[0] = controller.isAtRest(api) ? restPolls[0] + 1 : 0;
          return restPolls[0] >= REST_POLLS;
        });
  }

  /**
   * Plays a scenario of this project, or a scenario file with an end state. All types are shared by
   * class loaders.
   *
   * @return the number of unexplained differences, and their scenario files
   */
  public static List<String> findDifferences(String scenario, String recorded, Path folder)
      throws Exception {
    ShadowReport report =
        new ShadowTrial(
                JsonParser.parseString(scenario).getAsJsonObject(),
                JsonParser.parseString(recorded).getAsJsonObject(),
                Compat.KUBERNETES)
            .play(folder);
    return report.unexplained().stream()
        .map(difference ->
            dev.mooring.manager.shadow.ShadowScenario.format(difference, "difference"))
        .toList();
  }
}
