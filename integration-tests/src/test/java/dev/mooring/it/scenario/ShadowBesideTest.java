package dev.mooring.it.scenario;

import static java.util.Map.entry;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a shadow beside controllers with {@code --compat=kcm} that reach the end state of
 * kube-controller-manager. Nothing waits for the shadow, and faults, restarts, kubelets and
 * attachers are those of the scenario. {@code -Dmooring.scenarios=all} plays all scenarios, the
 * ordinary build a few.
 */
class ShadowBesideTest {
  private static final List<String> SAMPLE =
      List.of(
          "attach/generic-ephemeral-volume",
          "binder/many-claims-distinct-sizes",
          "protection/claim-goes-with-last-pod",
          "protection/finalizers-come-back",
          "reclaim/retain-not-reused");

  private static final List<String> DEFAULT_SAMPLE = List.of("binder/odd-claimrefs");

  private static final PairingLedger.Periods PERIODS =
      new PairingLedger.Periods(
          Duration.ofSeconds(1),
          PairingLedger.Periods.DEFAULT.confirmation(),
          Duration.ofMinutes(2),
          Duration.ofMinutes(2));

  /** Scenarios with a difference that the shadow cannot explain, and its cause. */
  private static final Map<String, String> UNEXPLAINABLE =
      Map.ofEntries(
          entry("attach/deleted-va-remade-by-sync", "a person deletes a VolumeAttachment"),
          entry("attach/deleted-va-without-sync", "a person deletes a VolumeAttachment"),
          entry(
              "attach/tampered-node-status-repaired-at-next-write",
              "a person edits the list of a node, and managedFields do not tell whose entry it is"),
          entry("attach/va-being-deleted-at-the-start", "a person deletes a VolumeAttachment"),
          entry("attach/volume-replaced-under-pod", "a person removes a finalizer"),
          entry("binder/changes-while-down", "a person removes a finalizer"),
          entry("binder/foreign-marks-stay", "a person removes a finalizer"),
          entry("binder/lost-and-back", "a person removes a finalizer"),
          entry("binder/lost-then-volume-recreated", "a person removes a finalizer"),
          entry("binder/lost-when-volume-deleted", "a person removes a finalizer"),
          entry("binder/volume-deleted-in-each-state", "a person removes a finalizer"),
          entry("binder/volume-replaced-under-claim", "a person removes a finalizer"),
          entry("misc/claim-force-removed-under-pod", "a person removes a finalizer"),
          entry("reclaim/claim-goes-policy-by-policy", "a person removes a finalizer"),
          entry("reclaim/recycle-still-used", "a person removes a finalizer"));

  @TempDir private Path folder;

  private final ConcurrentTests concurrentTests = new ConcurrentTests(4);

  @TestFactory
  Stream<DynamicTest> shadow_besideSameRules_hasNoUnexplainedDifference() throws IOException {
    return concurrentTests.tests(select(SAMPLE), name -> play(name, Compat.KUBERNETES));
  }

  @TestFactory
  Stream<DynamicTest> shadow_defaultRulesBesideKubernetes_linksEachDifferenceToItsRow()
      throws IOException {
    return concurrentTests.tests(select(DEFAULT_SAMPLE), name -> play(name, Compat.MOORING));
  }

  private static List<String> select(List<String> sample) throws IOException {
    if (System.getProperty("mooring.scenarios", "").isEmpty()) {
      return sample;
    }
    List<String> all =
        Stream.concat(Scenarios.passing().stream(), Scenarios.projectScenarios().stream())
            .filter(name -> !UNEXPLAINABLE.containsKey(name))
            .toList();
    return Scenarios.selectByProperty(all);
  }

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  private void play(String name, Compat compat) throws Exception {
    Path auditLog = Files.createTempFile(folder, "audit", ".log");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog))) {
      Path kubeconfig =
          Files.writeString(Files.createTempFile(folder, "kube", "config"), server.kubeconfig());
      ShadowController shadow =
          new ShadowController(
              kubeconfig,
              List.of("--compat=" + (compat.isKubernetes() ? "kcm" : "none")),
              () -> new ShadowSession(compat, PERIODS, new SystemTime()));
      List<String> differences = play(name, server, kubeconfig, shadow);
      assertThat(shadow.report().unexplainedCount())
          .as(ShadowText.format(shadow.report(), TextTable.UNLIMITED))
          .isZero();
      assertThat(differences).as("differences from the recorded end state").isEmpty();
    }
  }

  private static List<String> play(
      String name, ApiServer server, Path kubeconfig, ShadowController shadow) throws Exception {
    try {
      return Scenarios.play(
          name,
          RestApi.of(server, ""),
          new BothControllers(new InProcessController(kubeconfig, Resources.plugins()), shadow),
          ScenarioTest.QUIET_SECONDS,
          shadow::stop);
    } finally {
      shadow.stop();
    }
  }

  /** Controllers that write, and a shadow that starts first and runs until the end. */
  private record BothControllers(RunningController writing, ShadowController shadow)
      implements RunningController {
    @Override
    public void start(List<String> flags) throws Exception {
      if (!shadow.isStarted()) {
        shadow.start(flags);
      }
      writing.start(flags);
    }

    @Override
    public void stop() throws Exception {
      writing.stop();
    }

    @Override
    public boolean isIdle() {
      return writing.isIdle() && shadow.isIdle();
    }
  }
}
