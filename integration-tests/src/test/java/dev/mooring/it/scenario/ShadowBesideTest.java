package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.ConcurrentTests;
import dev.mooring.it.QuietCheck;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.manager.shadow.ShadowSession;
import dev.mooring.manager.shadow.ShadowText;
import dev.mooring.manager.shadow.pairing.PairingLedger;
import dev.mooring.reconcile.Compat;
import dev.mooring.text.TextTable;
import dev.mooring.time.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a shadow beside controllers that write, as before an upgrade: nothing waits for the shadow,
 * and the same decisions must not look different.
 */
class ShadowBesideTest {
  private static final List<String> SCENARIOS =
      List.of(
          "attach/generic-ephemeral-volume",
          "binder/many-claims-distinct-sizes",
          "protection/claim-goes-with-last-pod",
          "protection/finalizers-come-back",
          "reclaim/retain-not-reused");

  private static final PairingLedger.Periods PERIODS =
      new PairingLedger.Periods(
          Duration.ofSeconds(1),
          Duration.ofMillis(200),
          Duration.ofMinutes(2),
          Duration.ofMinutes(2));

  @TempDir private Path folder;

  private final ConcurrentTests concurrentTests = new ConcurrentTests(4);

  @TestFactory
  Stream<DynamicTest> shadow_besideSameVersion_hasNoUnexplainedDifference() {
    return concurrentTests.tests(Scenarios.selectByProperty(SCENARIOS), this::play);
  }

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  private void play(String name) throws Exception {
    Path auditLog = Files.createTempFile(folder, "audit", ".log");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog))) {
      Path kubeconfig =
          Files.writeString(Files.createTempFile(folder, "kube", "config"), server.kubeconfig());
      ShadowController shadow =
          new ShadowController(
              kubeconfig,
              List.of("--compat=kcm"),
              () -> new ShadowSession(Compat.KUBERNETES, PERIODS, new SystemTime()));
      new ScenarioRun(
              RestApi.of(server, ""),
              new BothControllers(new InProcessController(kubeconfig, Resources.plugins()), shadow),
              ScenarioTest.QUIET_SECONDS)
          .play(Scenarios.read("scenarios/" + name + ".json"));
      assertThat(shadow.report().unexplainedCount())
          .as(ShadowText.format(shadow.report(), TextTable.UNLIMITED))
          .isZero();
    }
  }

  /** Controllers that write, and a shadow that starts first. */
  private record BothControllers(RunningController writing, RunningController shadow)
      implements RunningController {
    @Override
    public void start(List<String> flags) throws Exception {
      shadow.start(flags);
      writing.start(flags);
    }

    @Override
    public void stop() throws Exception {
      shadow.stop();
      writing.stop();
    }

    @Override
    public boolean isIdle() {
      return writing.isIdle() && shadow.isIdle();
    }
  }
}
